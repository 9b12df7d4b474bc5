#include "tile/tile.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "arch/sizes.hpp"
#include "tensix/l1_transfers.hpp"
#include "tile/core_engine.hpp"

namespace tensim::tile {

using riscv::Core;
using time::Phase;

namespace {

riscv::Core make_core(Arch arch, unsigned number, bool is_ethernet) {
  constexpr std::array cache_rows{"icache_bytes_b"_size, "icache_bytes_t0"_size, "icache_bytes_t1"_size,
                                  "icache_bytes_t2"_size, "icache_bytes_nc"_size};
  constexpr std::array ram_rows{"local_ram_bytes_b"_size, "local_ram_bytes_t0"_size, "local_ram_bytes_t1"_size,
                                "local_ram_bytes_t2"_size, "local_ram_bytes_nc"_size};
  return {arch,
          number,
          {static_cast<std::uint32_t>(size(arch, is_ethernet ? "icache_bytes_e"_size : cache_rows[number])),
           static_cast<std::uint32_t>(size(arch, ram_rows[number])),
           static_cast<std::uint32_t>(size(arch, "branch_guesses"_size))}};
}

std::size_t l1_bytes(const Devices& devices) {
  return *noc::l1_bytes(devices.arch, devices.nius.place.kind());
}

/// By itself, so that what is around it has registers to spare.
[[gnu::noinline]] void take_out(riscv::Core& core, Cycle cycle, Cycle interval) {
  core.store_left(cycle, interval);
}

std::size_t iram_bytes(Arch arch) {
  return static_cast<std::size_t>(size(arch, "iram_bytes_nc"_size));
}

}  // namespace

TileState::TileState(const std::shared_ptr<const TileTiming>& timing)
    : TileState(timing, lone_tile(timing->units.arch)) {}

TileState::TileState(const std::shared_ptr<const TileTiming>& timing, NocPlace place)
    : arch(timing->units.arch),
      iram(iram_bytes(arch)),
      devices(arch, std::move(place)),
      coprocessor(std::shared_ptr<const tensix::UnitTiming>(timing, &timing->units)),
      time_(arch, l1_bytes(devices)) {
  for (unsigned number = 0; number < core_count; ++number)
    cores[number] = make_core(arch, number, devices.is_ethernet);
}

Tile::Tile(const std::shared_ptr<const TileTiming>& timing, Memory memory)
    : TileState(timing), l1(memory == Memory::l1 ? l1_bytes(devices) : 0), timing_(timing) {}

Tile::Tile(const std::shared_ptr<const TileTiming>& timing, NocPlace place)
    : TileState(timing, std::move(place)), l1(l1_bytes(devices)), timing_(timing) {}

/// Lets the agent whose key is `first` run until it would pass `limit`.
[[gnu::always_inline]] inline void Tile::run_agent(Key first, Key limit) {
  const unsigned agent = time::agent_of(first);
  if (first == time_.keys[script_agent]) {
    run_script(first);
    return look_again_at(coprocessor_and_devices);
  }
  if (agent < core_count) {
    return run_turn(cores[agent], first, limit);
  }
  if (agent == coprocessor_agent) {
    coprocessor.activity.is(time::Doing::gates);
    // Of those who are not cores only the first is compared with cores (run_to_window()): the others limit it here.
    run_coprocessor(std::min({limit, time_.keys[devices_agent], time_.keys[script_agent]}));
  } else {
    coprocessor.activity.is(time::Doing::devices);
    run_devices(time::cycle_of(first));
  }
  look_again_at(coprocessor_and_devices);
}

/// The agent with the smallest key runs until it would pass the second smallest. Keys are looked up anew only where they
/// can have changed.
void Tile::run_to_window() {
  attach();
  look_up_keys(std::exchange(time_.look, 0U));
  const Key last = time::key(time_.window, Phase::load, 0) - 1;
  while (true) {
    Key first = time_.first_of_others;
    Key second = last;
    const auto compare = [&](Key key) {
      second = std::min(second, std::max(first, key));
      first = std::min(first, key);
    };
    for (unsigned core = 0; core < core_count; ++core)
      compare(time_.keys[core]);
    const Key store = std::min(time_.keys[agent_count], time_.keys[agent_count + 1]);
    const Cycle cycle = time::cycle_of(std::min(first, store));
    if (cycle >= time_.window) return;
    time_.active = cycle + 1;
    coprocessor.activity.is(time::Doing::cores);
    if (store < first)
      run_ports(std::min(first, last));
    else
      run_agent(first, std::min(second, store));
    if (time_.look != 0) look_up_keys(std::exchange(time_.look, 0U));
    if (coprocessor.fault || time_.conflict || time_.met) return;
  }
}

void Tile::look_up_keys(unsigned agents) {
  for (unsigned left = agents & all_cores; left != 0; left &= left - 1)
    look_up_key(cores[static_cast<unsigned>(std::countr_zero(left))]);
  if ((agents & coprocessor_and_devices) == 0) return;
  time_.keys[coprocessor_agent] = key_of_coprocessor();
  time_.keys[devices_agent] = key_of_devices();
  time_.keys[script_agent] = key_of_script();
  time_.first_of_others =
      std::min({time_.keys[coprocessor_agent], time_.keys[devices_agent], time_.keys[script_agent]});
}

/// When the core executes next, or asks again for what it loads.
[[gnu::always_inline]] inline Tile::Key Tile::key_to_go_on(const Core& core) {
  const Cycle next = core.status == Core::Status::running ? std::min(core.retry, core.clock) : core.retry;
  return time::key(next, Phase::load, core.number);
}

/// When the core does something next. Its stores to L1 are planned by the ports.
void Tile::look_up_key(const Core& core) {
  const unsigned bit = 1U << core.number;
  const bool waits = (core.stores.is_blocked() && (time_.fed & bit) == 0) || core.loads.has_unanswered();
  time_.waiting = static_cast<std::uint8_t>(waits ? time_.waiting | bit : time_.waiting & ~bit);
  if (ask_core(core)) plan_port(L1Ports::port_of(core.number));
}

/// Tells the core's port which store it wants to go next. True if that is news to the port.
[[gnu::always_inline]] inline bool Tile::tell_port(const Core& core, const riscv::StoreQueue::Shared& oldest) {
  if (!oldest.is_l1()) return time_.l1_ports.want(core.number, never, 0);
  return time_.l1_ports.want(core.number, oldest.ready, oldest.store->address);
}

/// Looks up the core's key, and tells its port, as tell_port().
bool Tile::ask_core(const Core& core) {
  if (core.status == Core::Status::in_reset) {
    time_.keys[core.number] = time::no_key;
    return tell_port(core, {});
  }
  const riscv::StoreQueue::Shared oldest = core.stores.oldest_shared();
  Key& key = time_.keys[core.number];
  key = key_to_go_on(core);
  if (!oldest.is_l1()) key = std::min(key, time::key(oldest.ready, Phase::store, core.number));
  return tell_port(core, oldest);
}

void Tile::plan_port(unsigned port) {
  const L1Ports::Plan& plan = time_.l1_ports.plan_anew(port);
  time_.keys[agent_count + port] = time::key(plan.cycle, Phase::store, plan.core);
}

/// From the end of the window on, something may come from outside.
Tile::Key Tile::next_write_of_others(unsigned agent) const {
  Key next = time::key(time_.window, Phase::store, devices_agent);
  for (unsigned other = 0; other < time_.keys.size(); ++other)
    if (other != agent) next = std::min(next, next_write_of(other));
  return next;
}

/// Whether the port's planned store cannot go in its cycle, because of a load.
[[gnu::always_inline]] inline bool Tile::port_has_load(unsigned port) const {
  const Cycle cycle = time_.l1_ports.plan(port).cycle;
  if (time_.l1_ports.has_load(port, cycle)) return true;
  if (time_.sleepers != 0)
    for (unsigned place = 0; place < l1_core_ports[port].core_count; ++place)
      if (cores[l1_core_ports[port].cores[place]].loads_asleep(cycle)) return true;
  return false;
}

/// When the agent, or the port, may next write to L1, at the earliest.
Tile::Key Tile::next_write_of(unsigned agent) const {
  if (agent >= core_count || !cores[agent].waits_to_read) return time_.keys[agent];
  // Behind the load that waits there may be a store, which leaves in the cycle after the load at the earliest.
  const Core& core = cores[agent];
  const Cycle port = time_.l1_ports.wants(agent) ? time_.l1_ports.earliest(agent) : 0;
  const Cycle drain = std::min(std::max(core.stores.next_shared_drain(), port), core.clock + 1);
  return std::min(time::key(drain, Phase::store, agent), time::key(core.retry, Phase::load, agent));
}

bool Tile::coprocessor_has_next_event() const {
  return coprocessor.changed() || time_.words_ahead.first() != never || coprocessor.next_event() != never;
}

/// What happens by itself in a cycle is seen by the cores' loads of that cycle, which come before its step: so the step
/// before it counts.
Tile::Key Tile::key_of_coprocessor() const {
  Cycle next = coprocessor.now;
  if (!lockstep_ && !coprocessor.changed()) {
    const Cycle event = coprocessor.next_event();
    next = event == never ? never : std::max(std::max<Cycle>(event, 1) - 1, coprocessor.now);
    if (time_.words_ahead.first() != never) next = std::min(next, time_.words_ahead.first() + 1);
  }
  return time::key(next, Phase::step, coprocessor_agent);
}

Tile::Key Tile::key_of_devices() const {
  const Cycle next = std::min({next_event(devices, coprocessor), devices.nius.next, next_arrival()});
  return time::key(next, Phase::store, devices_agent);
}

bool Tile::has_next_event() const {
  const auto has_one = [](const Core& core) {
    if (core.status == Core::Status::in_reset) return false;
    return core.status == Core::Status::running || core.retry != never || core.stores.next_shared_drain() != never;
  };
  return std::ranges::any_of(cores, has_one) || coprocessor_has_next_event() || key_of_devices() != time::no_key ||
         key_of_script() != time::no_key;
}

/// Runs the core from its own key, `first`, up to `limit`, the key of whoever comes next, and looks up when it goes on.
void Tile::run_turn(Core& core, Key first, Key limit) {
  // What it wants of its port is mostly what it has wanted before: nothing else comes in front of that.
  const bool wants_the_same = time_.l1_ports.wants(core.number) && !core.stores.is_open();
  run_core(core, first, limit);
  if (time_.look != 0) return look_again_at(1U << core.number);
  const bool waits =
      core.stores.is_blocked() || core.loads.has_unanswered() || (time_.waiting >> core.number & 1U) != 0;
  if (waits || !wants_the_same) return look_up_key(core);
  time_.keys[core.number] = key_to_go_on(core);
}

void Tile::run_core(Core& core, Key first, Key limit) {
  if (observes_cores()) [[unlikely]]
    run_observed(core, first, limit);
  else
    run_engine(CoreBus{*this}, core, {first, limit, time_.horizon});
  if (core.stop) stop_with(core);
}

/// Whether the port's planned store cannot go in its cycle, because a transfer of the coprocessor has the bank.
bool Tile::waits_for_transfer(unsigned port) {
  return tensix::store_waits_for_transfer(coprocessor, port, time_.l1_ports.bank(port),
                                          time_.l1_ports.plan(port).cycle + timing_->units.l1_store_travel);
}

/// The port's planned store goes and holds port and bank for `hold` cycles: transfers under way may end later for it.
void Tile::hold_up_transfers(unsigned port, Cycle hold) {
  const Cycle cycle = time_.l1_ports.plan(port).cycle + timing_->units.l1_store_travel;
  if (!tensix::store_holds_up_transfers(coprocessor, port, time_.l1_ports.bank(port), cycle, hold)) return;
  postpone_move(devices, coprocessor.mover.free_from - 1);
  look_again_at(coprocessor_and_devices);
}

/// The store whose turn it is leaves, in a cycle in which the port serves no load, unless that is behind `limit`.
[[gnu::always_inline]] inline Tile::Gone Tile::let_store_go(unsigned port, Key limit) {
  const auto has_transfers = [&] { return coprocessor.l1_traffic.busy_until > time_.l1_ports.plan(port).cycle; };
  const auto is_taken = [&] {
    return port_has_load(port) || time_.l1_ports.lets_other_port_pass(port) ||
           (has_transfers() && waits_for_transfer(port));
  };
  while (is_taken()) {
    const unsigned other = 1 - port;
    const bool gives_way = time_.l1_ports.lets_other_port_pass(port) && time_.keys[agent_count + other] <= limit &&
                           !has_transfers() && !port_has_load(other);
    time_.l1_ports.miss(port);
    if (gives_way) {  // it goes at once, and both are planned anew behind it
      port = other;
      break;
    }
    plan_port(port);
    const Key next = time_.keys[agent_count + port];
    if (next > std::min(limit, time_.keys[agent_count + other]) || time::cycle_of(next) >= time_.window) return {};
  }
  const L1Ports::Plan plan = time_.l1_ports.plan(port);
  time_.active = plan.cycle + 1;
  Core& core = cores[plan.core];
  core.stores.pass_local(plan.cycle);
  const riscv::QueuedStore& store = core.stores.front();
  const Cycle hold = store.mask == riscv::QueuedStore::whole_block ? 1 : timing_->narrow_write_hold;
  if (has_transfers())
    hold_up_transfers(port, hold);
  else
    coprocessor.l1_traffic.holds[port] = {time_.l1_ports.bank(port),
                                          plan.cycle + hold + timing_->units.l1_store_travel};
  time_.l1_ports.go(port, hold);
  CoreBus{*this}.write_l1(core, store.address, store.bytes.data(), store.mask, plan.cycle, Phase::store);
  if (notes_orders()) [[unlikely]]
    note_block(core, plan.cycle);
  const bool has_waited = core.status == Core::Status::waits_for_drain;
  take_out(core, plan.cycle, hold);
  if (has_waited)
    tell_port(core, core.stores.oldest_shared());  // when it goes on is looked up behind it
  else
    ask_core(core);
  plan_port(port);
  if (time_.l1_ports.wants_bank_of(port)) plan_port(1 - port);
  return {&core, has_waited};
}

/// The port whose store is planned first.
[[gnu::always_inline]] inline unsigned Tile::first_port() const {
  return time_.keys[agent_count] < time_.keys[agent_count + 1] ? 0 : 1;
}

/// Stores leave, and cores that have waited for that go on behind them, until somebody else comes, whose key is `limit`. A core may
/// go on although it is not the first: what concerns others it leaves until its turn.
void Tile::run_ports(Key limit) {
  const auto is_undisturbed = [&] { return time_.look == 0 && !time_.conflict && !time_.met; };
  unsigned port = first_port();
  do {
    const auto [core, has_waited] = let_store_go(port, limit);
    port = first_port();
    if (core == nullptr) continue;
    if (has_waited) {
      const bool has_others_to_go = !time_.l1_ports.wants(core->number) && !core->stores.empty();
      if (is_undisturbed() && core->clock < time_.window && core->retry == never && !has_others_to_go)
        run_turn(*core, key_to_go_on(*core), std::min(limit, time_.keys[agent_count + port]));
      else
        look_up_key(*core);
      port = first_port();
    }
    limit = std::min({limit, time_.keys[core->number], time_.first_of_others});  // it may have pushed words ahead
  } while (is_undisturbed() && time_.keys[agent_count + port] < limit &&
           time::cycle_of(time_.keys[agent_count + port]) < time_.window);
}

void Tile::run_coprocessor(Key limit) {
  while (time_.look == 0) {  // else those that may go on now come first
    const Key next = key_of_coprocessor();
    if (next > limit || time::cycle_of(next) >= time_.window) return;
    if (const Cycle cycle = time::cycle_of(next); coprocessor.now < cycle || time_.words_ahead.first() < cycle)
      catch_up(cycle);
    time_.active = coprocessor.now + 1;
    step_coprocessor();
    if (coprocessor.fault) return;
    if (script.is_given()) limit = std::min(limit, key_of_script());
    if (time_.fed != 0 && !lockstep_) limit = feed(limit);
    if (coprocessor.mover.job) limit = std::min(limit, key_of_devices());
  }
}

/// One cycle, and whoever has to look because of it.
void Tile::step_coprocessor() {
  const bool is_watched =
      (time_.waiting | time_.device_sleepers) != 0 || coprocessor.scalar.mmio_waits || script.is_given();
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
  using By = event::Moved::By;
  const Moment moment{cycle, Phase::store, devices_agent};
  const auto is_due = [&](const MemoryOperation& operation) { return operation.due <= cycle; };
  while (!devices.memory_operations.empty() && is_due(devices.memory_operations.front()))
    if (!do_memory_operation(devices.memory_operations.pop(), By::tdma, moment)) return;
  if (coprocessor.mover.job && is_due(*coprocessor.mover.job)) {
    const MemoryOperation operation = *coprocessor.mover.job;
    coprocessor.mover.job.reset();
    if (!do_memory_operation(operation, By::mover, moment)) return;
  }
  if (std::min(devices.nius.next, next_arrival()) <= cycle && !run_nius(moment)) return;
  devices_changed(moment);
}

/// False if it concerns a core that has run past the moment: the run is repeated up to there, and it happens then.
bool Tile::do_memory_operation(const MemoryOperation& operation, event::Moved::By by, const Moment& moment) {
  if (operation.target == MemoryOperation::Target::iram && !require_exact(moment.cycle)) return false;
  if (operation.target == MemoryOperation::Target::l1 && operation.size != 0 &&
      coprocessor.memory.holds(operation.to, operation.size))
    l1.before_write(operation.to, operation.size);
  if (carry_out(operation, coprocessor, l1, iram) && operation.target == MemoryOperation::Target::l1 &&
      operation.size != 0)
    l1_changed(operation.to, operation.size, moment);
  if (notes_orders()) note_move(operation, by, moment);
  return true;
}

/// What belongs to this tile, also in a copy.
void Tile::attach() {
  coprocessor.memory.attach(l1);
  coprocessor.journal = listener_ == nullptr ? nullptr : &journal_;
}

/// Moves the coprocessor's clock on to `cycle`, before which nothing happens in it.
void Tile::catch_up(Cycle cycle) {
  attach();
  if (coprocessor.now < cycle) coprocessor.skip_to(cycle);
  if (time_.words_ahead.first() < cycle) take_words(cycle);
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
