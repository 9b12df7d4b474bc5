#include "tile/tile.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "arch/sizes.hpp"
#include "riscv/engine.hpp"
#include "tensix/l1_transfers.hpp"
#include "tile/core_bus.hpp"

namespace tensim::tile {

using riscv::Core;
using riscv::Phase;

namespace {

riscv::Core make_core(Arch arch, unsigned number) {
  constexpr std::array cache_rows{"icache_bytes_b"_size, "icache_bytes_t0"_size, "icache_bytes_t1"_size,
                                  "icache_bytes_t2"_size, "icache_bytes_nc"_size};
  constexpr std::array ram_rows{"local_ram_bytes_b"_size, "local_ram_bytes_t0"_size, "local_ram_bytes_t1"_size,
                                "local_ram_bytes_t2"_size, "local_ram_bytes_nc"_size};
  return {arch,
          number,
          {static_cast<std::uint32_t>(size(arch, cache_rows[number])),
           static_cast<std::uint32_t>(size(arch, ram_rows[number])),
           static_cast<std::uint32_t>(size(arch, "branch_guesses"_size))}};
}

std::size_t iram_bytes(Arch arch) {
  return static_cast<std::size_t>(size(arch, "iram_bytes_nc"_size));
}

}  // namespace

Tile::Tile(const std::shared_ptr<const TileTiming>& timing, Memory memory)
    : arch(timing->units.arch),
      l1(memory == Memory::l1 ? static_cast<std::size_t>(size(arch, "l1_bytes"_size)) : 0),
      iram(iram_bytes(arch)),
      devices(arch),
      coprocessor(std::shared_ptr<const tensix::UnitTiming>(timing, &timing->units)),
      timing_(timing),
      l1_ports_(arch),
      read_ahead_(l1.size()),
      watched_(l1.size() / page_bytes + 1) {
  keys_.fill(riscv::no_key);
  for (unsigned number = 0; number < core_count; ++number)
    cores[number] = make_core(arch, number);
}

// ---- the clock ----

namespace {
constexpr Cycle chunk_cycles = 1'000'000;  // between checkpoints
constexpr Cycle short_run_cycles = 512;    // not worth one
constexpr Cycle cautious_cycles = 64;      // walked where agents had run too far ahead: there may be more of it
}  // namespace

std::optional<Tile::Halt> Tile::ended() const {
  if (coprocessor.fault) return Halt::coprocessor_fault;
  if (stopped_core() || script.fault()) return Halt::core_stopped;
  if (met_) return Halt::met;
  return std::nullopt;
}

Tile::Halt Tile::run_until(Cycle end) {
  if (const std::optional<Halt> halt = ended()) return *halt;
  while (now_ < end) {
    if (held_ == all_cores && !lockstep_) {
      if (const Halt halt = run_without_cores(end); halt != Halt::reached) return halt;
      continue;
    }
    const bool is_worth_a_checkpoint = !lockstep_ && coprocessor.observer == nullptr && end - now_ > short_run_cycles;
    const Halt halt = is_worth_a_checkpoint ? run_ahead(std::min(end, now_ + chunk_cycles)) : walk(end);
    if (halt != Halt::reached) return halt;
  }
  return Halt::reached;
}

/// Agents may be ahead of whatever ends a run early: then the run is repeated up to there, and stops exactly.
Tile::Halt Tile::run_ahead(Cycle end) {
  const auto before = std::make_unique<Tile>(*this);
  const Halt halt = advance_from(*before, end);
  if (!conflict_ && (halt == Halt::reached || halt == Halt::nothing_left)) return halt;
  const bool was_met = met_.has_value();
  const bool was_too_far = conflict_.has_value();
  Cycle exact = conflict_.value_or(end);
  if (halt == Halt::coprocessor_fault) exact = std::min(exact, coprocessor.now);
  if (const auto core = stopped_core()) exact = std::min(exact, this->core(*core).stop->cycle);
  if (was_met) exact = std::min(exact, *met_);
  if (const auto& fault = script.fault()) exact = std::min(exact, fault->access.cycle);
  *this = *before;
  Cycle to = exact;
  if (exact > now_) advance_from(*before, to);
  if (to != exact) return Halt::reached;  // the rest is another run
  return walk(std::min(end, exact + (was_too_far ? cautious_cycles : 1)));
}

/// Repeats the run from its checkpoint when a page was taken for somebody's own and is not. Then it ends there (`end`), and
/// goes on with a new checkpoint.
Tile::Halt Tile::advance_from(Tile& checkpoint, Cycle& end) {
  Halt halt = advance(end);
  while (misread_page_) {
    end = *conflict_ + 1;
    checkpoint.read_ahead_.share(*misread_page_);
    *this = checkpoint;
    halt = advance(end);
  }
  return halt;
}

Tile::Halt Tile::walk(Cycle end) {
  settle_sleepers();
  walks_ = true;
  Halt halt = Halt::reached;
  while (now_ < end && halt == Halt::reached) {
    if (lockstep_) ask_again();
    halt = advance(now_ + 1);
  }
  walks_ = false;
  return halt;
}

/// While all cores are in reset nobody runs ahead of anybody, so nothing is ever repeated. Ends when a core is let go.
Tile::Halt Tile::run_without_cores(Cycle end) {
  walks_ = true;
  const Halt halt = advance(end);
  walks_ = false;
  return halt;
}

Tile::Halt Tile::advance(Cycle end) {
  horizon_ = end;
  run_to_horizon();
  if (conflict_) return Halt::reached;
  if (const std::optional<Halt> halt = ended()) {
    now_ = coprocessor.fault ? std::min(horizon_, active_) : horizon_;
    if (!coprocessor.fault) catch_up(now_);
    return *halt;
  }
  if (!has_next_event()) {
    now_ = std::max(now_, last_activity());
    return Halt::nothing_left;
  }
  now_ = horizon_;
  settle_sleepers();
  catch_up(now_);
  return Halt::reached;
}

/// The first cycle in which no agent did anything any more.
Cycle Tile::last_activity() const {
  Cycle last = std::max(coprocessor.now, active_);  // stores leave after their core has gone to sleep, or waits
  for (const Core& core : cores)
    if (core.status != Core::Status::in_reset) last = std::max(last, core.clock);
  return last;
}

void Tile::idle_until(Cycle end) {
  now_ = std::max(now_, end);
  settle_sleepers();
  catch_up(now_);
}

/// Puts sleeping cores where they are at the end of the run: nothing has changed for them so far.
void Tile::settle_sleepers() {
  if (sleepers_ == 0) return;
  for (Core& core : cores)
    if (core.status == Core::Status::asleep) wake_core(core, {now_ - 1, Phase::store, coprocessor_agent});
  horizon_ = now_;
  const bool walked = std::exchange(walks_, true);
  run_to_horizon();
  walks_ = walked;
}

/// The agent with the smallest key runs until it would pass the second smallest. Keys are looked up anew only where they
/// can have changed.
void Tile::run_to_horizon() {
  look_up_keys(all_agents);
  while (true) {
    Key first = riscv::no_key;
    Key second = riscv::no_key;
    for (const Key key : keys_) {
      second = std::min(second, std::max(first, key));
      first = std::min(first, key);
    }
    if (riscv::cycle_of(first) >= horizon_) return;
    active_ = riscv::cycle_of(first) + 1;
    look_ = 0;
    const unsigned agent = riscv::agent_of(first);
    if (first == keys_[script_agent]) {
      run_script(first);
      look_again_at(coprocessor_and_devices);
    } else if (agent < core_count) {
      const unsigned port = L1Ports::port_of(agent);
      if (first == keys_[agent_count + port]) {
        run_port(port, second);
      } else {
        run_core(cores[agent], first, second);
        look_again_at(1U << agent);
      }
    } else {
      if (agent == coprocessor_agent)
        run_coprocessor(second);
      else
        run_devices(riscv::cycle_of(first));
      look_again_at(coprocessor_and_devices);
    }
    if (look_ != 0) look_up_keys(look_);
    if (coprocessor.fault || conflict_ || met_) return;
  }
}

void Tile::look_up_keys(unsigned agents) {
  for (unsigned left = agents & all_cores; left != 0; left &= left - 1)
    look_up_key(cores[static_cast<unsigned>(std::countr_zero(left))]);
  if ((agents & coprocessor_and_devices) == 0) return;
  keys_[coprocessor_agent] = key_of_coprocessor();
  keys_[devices_agent] = key_of_devices();
  keys_[script_agent] = key_of_script();
}

/// When the core does something next. Its stores to L1 are planned by the ports.
void Tile::look_up_key(const Core& core) {
  if (ask_core(core)) plan_port(L1Ports::port_of(core.number));
}

/// Looks up the core's key, and tells its port which store it wants to go next. True if that is news to the port.
bool Tile::ask_core(const Core& core) {
  const unsigned bit = 1U << core.number;
  const bool waits = (core.stores.is_blocked() && (fed_ & bit) == 0) || core.loads.has_unanswered();
  waiting_ = static_cast<std::uint8_t>(waits ? waiting_ | bit : waiting_ & ~bit);
  if (core.status == Core::Status::in_reset) {
    keys_[core.number] = riscv::no_key;
    return l1_ports_.want(core.number, never, 0);
  }
  const riscv::StoreQueue::Shared oldest = core.stores.oldest_shared();
  const Cycle next = core.status == Core::Status::running ? std::min(core.retry, core.clock) : core.retry;
  keys_[core.number] = riscv::key(next, Phase::load, core.number);
  if (oldest.is_l1()) return l1_ports_.want(core.number, oldest.ready, oldest.store->address);
  keys_[core.number] = std::min(keys_[core.number], riscv::key(oldest.ready, Phase::store, core.number));
  return l1_ports_.want(core.number, never, 0);
}

void Tile::plan_port(unsigned port) {
  const L1Ports::Plan& plan = l1_ports_.plan_anew(port);
  keys_[agent_count + port] = riscv::key(plan.cycle, Phase::store, plan.core);
}

Tile::Key Tile::next_write_of_others(unsigned agent) const {
  Key next = riscv::no_key;
  for (unsigned other = 0; other < keys_.size(); ++other)
    if (other != agent) next = std::min(next, next_write_of(other));
  return next;
}

/// Whether the port's planned store cannot go in its cycle, because of a load or of the other port's turn.
bool Tile::port_is_taken(unsigned port) const {
  const Cycle cycle = l1_ports_.plan(port).cycle;
  if (l1_ports_.has_load(port, cycle)) return true;
  if (sleepers_ != 0)
    for (unsigned place = 0; place < l1_core_ports[port].core_count; ++place)
      if (cores[l1_core_ports[port].cores[place]].loads_asleep(cycle)) return true;
  return l1_ports_.lets_other_port_pass(port);
}

/// When the agent, or the port, may next write to L1, at the earliest.
Tile::Key Tile::next_write_of(unsigned agent) const {
  if (agent >= core_count || !cores[agent].waits_to_read) return keys_[agent];
  // Behind the load that waits there may be a store, which leaves in the cycle after the load at the earliest.
  const Core& core = cores[agent];
  const Cycle port = l1_ports_.wants(agent) ? l1_ports_.earliest(agent) : 0;
  const Cycle drain = std::min(std::max(core.stores.next_shared_drain(), port), core.clock + 1);
  return std::min(riscv::key(drain, Phase::store, agent), riscv::key(core.retry, Phase::load, agent));
}

bool Tile::coprocessor_has_next_event() const {
  return coprocessor.changed() || words_ahead_.first() != never || coprocessor.next_event() != never;
}

/// What happens by itself in a cycle is seen by the cores' loads of that cycle, which come before its step: so the step
/// before it counts.
Tile::Key Tile::key_of_coprocessor() const {
  Cycle next = coprocessor.now;
  if (!lockstep_ && !coprocessor.changed()) {
    const Cycle event = coprocessor.next_event();
    next = event == never ? never : std::max(std::max<Cycle>(event, 1) - 1, coprocessor.now);
    if (words_ahead_.first() != never) next = std::min(next, words_ahead_.first() + 1);
  }
  return riscv::key(next, Phase::step, coprocessor_agent);
}

Tile::Key Tile::key_of_devices() const {
  return riscv::key(next_event(devices, coprocessor), Phase::store, devices_agent);
}

bool Tile::has_next_event() const {
  const auto has_one = [](const Core& core) {
    if (core.status == Core::Status::in_reset) return false;
    return core.status == Core::Status::running || core.retry != never || core.stores.next_shared_drain() != never;
  };
  return std::ranges::any_of(cores, has_one) || coprocessor_has_next_event() || key_of_devices() != riscv::no_key ||
         key_of_script() != riscv::no_key;
}

/// Runs the core from its own key, `first`, up to `limit`, the key of whoever comes next.
void Tile::run_core(Core& core, Key first, Key limit) {
  CoreBus bus{*this};
  if (l1_ports_.wants(core.number)) core.stores.wait_for_l1(l1_ports_.earliest(core.number));
  riscv::Engine<CoreBus> engine(core, bus, limit, horizon_);
  if (riscv::phase_of(first) == Phase::store)
    engine.drain(riscv::cycle_of(first));
  else if (riscv::cycle_of(first) == core.retry)
    engine.retry_loads(core.retry);
  else
    engine.run();
  if (core.stop) horizon_ = std::min(horizon_, core.stop->cycle + 1);
}

/// Whether the port's planned store cannot go in its cycle, because a transfer of the coprocessor has the bank.
bool Tile::waits_for_transfer(unsigned port) {
  return tensix::store_waits_for_transfer(coprocessor, port, l1_ports_.bank(port),
                                          l1_ports_.plan(port).cycle + timing_->units.l1_store_travel);
}

/// The port's planned store goes and holds port and bank for `hold` cycles: transfers under way may end later for it.
void Tile::hold_up_transfers(unsigned port, Cycle hold) {
  const Cycle cycle = l1_ports_.plan(port).cycle + timing_->units.l1_store_travel;
  if (!tensix::store_holds_up_transfers(coprocessor, port, l1_ports_.bank(port), cycle, hold)) return;
  postpone_move(devices, coprocessor.mover.free_from - 1);
  look_again_at(coprocessor_and_devices);
}

/// The store whose turn it is leaves, in a cycle in which the port serves no load.
void Tile::run_port(unsigned port, Key limit) {
  const auto has_transfers = [&] { return coprocessor.l1_traffic.busy_until > l1_ports_.plan(port).cycle; };
  while (port_is_taken(port) || (has_transfers() && waits_for_transfer(port))) {
    l1_ports_.miss(port);
    plan_port(port);
    const Key next = keys_[agent_count + port];
    if (next > limit || riscv::cycle_of(next) >= horizon_) return;
  }
  const L1Ports::Plan plan = l1_ports_.plan(port);
  active_ = plan.cycle + 1;
  Core& core = cores[plan.core];
  core.stores.pass_local(plan.cycle);
  const riscv::QueuedStore& store = core.stores.front();
  const Cycle hold = store.mask == riscv::QueuedStore::whole_block ? 1 : timing_->narrow_write_hold;
  if (has_transfers())
    hold_up_transfers(port, hold);
  else
    coprocessor.l1_traffic.holds[port] = {l1_ports_.bank(port), plan.cycle + hold + timing_->units.l1_store_travel};
  l1_ports_.go(port, hold);
  CoreBus{*this}.write_l1(core, store.address, store.bytes.data(), store.mask, plan.cycle, Phase::store);
  core.store_left(plan.cycle, hold);
  ask_core(core);
  plan_port(port);
  if (l1_ports_.wants_bank_of(port)) plan_port(1 - port);
}

void Tile::run_coprocessor(Key limit) {
  while (look_ == 0) {  // else those that may go on now come first
    const Key next = key_of_coprocessor();
    if (next > limit || riscv::cycle_of(next) >= horizon_) return;
    catch_up(riscv::cycle_of(next));
    active_ = coprocessor.now + 1;
    step_coprocessor();
    if (coprocessor.fault) return;
    if (script.is_given()) limit = std::min(limit, key_of_script());
    if (fed_ != 0 && !lockstep_) limit = feed(limit);
    if (coprocessor.mover.job) limit = std::min(limit, key_of_devices());
  }
}

/// One cycle, and whoever has to look because of it.
void Tile::step_coprocessor() {
  const bool is_watched = (waiting_ | device_sleepers_) != 0 || coprocessor.scalar.mmio_waits || script.is_given();
  const bool is_eventful = is_watched && coprocessor.next_event() <= coprocessor.now + 1;
  coprocessor.step();
  if (coprocessor.fault) return;
  if (coprocessor.config_effects != 0) apply_config_effects(coprocessor.now - 1);
  if (is_watched && (is_eventful || coprocessor.changed())) coprocessor_stepped();
  if (!coprocessor.memory.changes.empty()) tell_of_l1_changes();
  if (!coprocessor.scalar.mmio.empty()) answer_scalar_unit();
}

/// Commands of TDMA-RISC, and what they do to memory.
void Tile::run_devices(Cycle cycle) {
  catch_up(cycle + 1);
  tile::advance(devices, coprocessor, cycle);
  const Moment moment{cycle, Phase::store, devices_agent};
  const auto is_due = [&](const MemoryOperation& operation) { return operation.due <= cycle; };
  while (!devices.memory_operations.empty() && is_due(devices.memory_operations.front()))
    if (!do_memory_operation(devices.memory_operations.pop(), moment)) return;
  if (coprocessor.mover.job && is_due(*coprocessor.mover.job)) {
    const MemoryOperation operation = *coprocessor.mover.job;
    coprocessor.mover.job.reset();
    if (!do_memory_operation(operation, moment)) return;
  }
  devices_changed(moment);
}

/// False if it concerns a core that has run past the moment: the run is repeated up to there, and it happens then.
bool Tile::do_memory_operation(const MemoryOperation& operation, const Moment& moment) {
  if (operation.target == MemoryOperation::Target::iram && !require_exact(moment.cycle)) return false;
  if (carry_out(operation, coprocessor, l1, iram) && operation.target == MemoryOperation::Target::l1 &&
      operation.size != 0)
    l1_changed(operation.to, operation.size, moment);
  return true;
}

/// Moves the coprocessor's clock on to `cycle`, before which nothing happens in it.
void Tile::catch_up(Cycle cycle) {
  coprocessor.memory.l1 = l1;  // this tile's, also in a copy
  if (coprocessor.now < cycle) coprocessor.skip_to(cycle);
  if (words_ahead_.first() < cycle) take_words(cycle);
  if (!coprocessor.memory.changes.empty()) tell_of_l1_changes();
}

/// Tells those whom it concerns what the coprocessor has written to L1 in its last cycle.
void Tile::tell_of_l1_changes() {
  for (const tensix::Memory::Change& change : coprocessor.memory.changes)
    l1_changed(change.address, change.bytes, {coprocessor.now - 1, Phase::step, coprocessor_agent});
  coprocessor.memory.changes.clear();
}

std::optional<CoreId> Tile::stopped_core() const {
  const Core* first = nullptr;
  for (const Core& core : cores)
    if (core.stop && (first == nullptr || core.stop->cycle < first->stop->cycle)) first = &core;
  if (first == nullptr) return std::nullopt;
  return static_cast<CoreId>(first->number);
}

}  // namespace tensim::tile
