#include "tensix/coprocessor.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "isa/table.hpp"
#include "tensix/units/sync/semaphore_operations.hpp"

namespace tensim::tensix {

using namespace isa::literals;
using event::Stall;

Coprocessor::Coprocessor(std::shared_ptr<const UnitTiming> given) : arch(given->arch), timing(std::move(given)) {
  for (unsigned thread = 0; thread < thread_count; ++thread)
    frontends[thread] = Frontend(*timing, thread);
  last_served.fill(thread_count - 1);  // T0 comes first
  last_served[static_cast<std::size_t>(Port::semaphores)] = riscv_requester;
}

// ---- the cycle ----

[[gnu::always_inline]] inline void Coprocessor::advance_frontends() {
  unsigned moving = moving_frontends_;
  for_each_thread(moving, [&](unsigned thread) __attribute__((always_inline)) {
    Frontend& frontend = frontends[thread];
    bool may_move_again = false;
    if (frontend.is_simple()) {
      const WordQueue::Step step = frontend.move_words();
      if (step.moves != 0) words_moved(thread);
      may_move_again = step.may_move_again;
    } else {
      may_move_again = expand(thread);
    }
    if (!may_move_again) moving &= ~(1U << thread);
  });
  moving_frontends_ = moving;
}

/// A frontend in whose expanders something happens, or may. Whether words may move in the next cycle, too: where nothing
/// has moved, nothing will, unless somebody pushes or pops, or Auto TTSync lets a word go.
[[gnu::noinline]] bool Coprocessor::expand(unsigned thread) {
  Frontend& frontend = frontends[thread];
  const bool moved = frontend.advance(arch);
  if (moved) words_moved(thread);
  if (frontend.has_notes()) report_notes(thread);
  return moved ? frontend.can_advance() : frontend.auto_ttsync.is_on();
}

/// What lands at the end of the cycle that is over; gates see it in the one that comes.
void Coprocessor::retire() {
  gates.look = all_threads;
  changed_ = true;
  const bool is_noted =
      journal != nullptr && journal->wants_any(event::wants_order | event::wants_causes | event::wants_time);
  if (!is_noted && in_flight.retire_without_effects(now)) return;
  // Banks that come back do so before any that an unpacker hands over in the same cycle.
  unsigned unpacked = 0;
  const auto land = [&](const Record& record) {
    if (record.tracked_writes != 0) frontends[record.thread].auto_ttsync.write_landed(record.tracked_writes);
    if (record.effect == Effect::none) return;
    if (record.effect == Effect::unpack_done)
      unpacked |= 1U << record.destination;
    else
      complete(record);
  };
  if (is_noted)
    in_flight.retire(now, [&](const Record& record) {
      const Record kept = record;  // its slot may be used again by what it does
      land(kept);
      note_completion(kept);
    });
  else
    in_flight.retire(now, land);
  for (unsigned unpacker = 0; unpacked != 0; ++unpacker, unpacked >>= 1U)
    if ((unpacked & 1U) != 0) units::finish_unpack(*this, unpacker);
}

Cycle Coprocessor::next_event() const {
  Cycle event = in_flight.next_completion() == never ? never : in_flight.next_completion() + 1;
  for (const Held& reason : gates.held)
    event = std::min(event, reason.until);
  event = std::min(event, core_requests.next_event(now));
  if (mover.free_from >= now) event = std::min(event, mover.free_from);  // TDMA-RISC's, too
  event = std::min(event, units::next_packer_event(*this));
  event = std::min(event, units::next_scalar_event(*this));
  if (vector.schedule.advances()) event = std::min(event, now);
  return std::min(event, units::next_unpacker_event(*this));
}

void Coprocessor::skip_to(Cycle to) {
  if (journal != nullptr && journal->wants_any(event::wants_gates | event::wants_time))
    for (unsigned thread = 0; thread < thread_count; ++thread)
      note_hold(thread, to - now);
  for (unsigned thread = 0; thread < thread_count; ++thread)
    accounts[thread][gates.held[thread].stall] += to - now;
  now = to;
  if (in_flight.next_completion() < now) retire();
}

// ---- the gates ----

namespace {

/// Round-robin among `requesters` (a mask over four), the one after `last` first.
constexpr auto make_turns() {
  std::array<std::array<std::uint8_t, 16>, 4> turns{};
  for (unsigned last = 0; last < 4; ++last)
    for (unsigned mask = 1; mask < 16; ++mask)
      for (unsigned turn = 4; turn >= 1; --turn)
        if ((mask >> ((last + turn) % 4) & 1U) != 0) turns[last][mask] = static_cast<std::uint8_t>((last + turn) % 4);
  return turns;
}
constexpr std::array turns = make_turns();

constexpr unsigned mask_of(const std::array<Port, thread_count>& ports, Port port) {
  unsigned mask = 0;
  for (unsigned thread = 0; thread < thread_count; ++thread)
    mask |= ports[thread] == port ? 1U << thread : 0U;
  return mask;
}

}  // namespace

[[gnu::always_inline]] inline void Coprocessor::look_at_gate(unsigned thread) {
  gates.look_at(thread, *this, frontends[thread], timing->operations, now);
}

/// Takes those out of `gates.look` whose candidates have to wait for accesses of their T core.
[[gnu::noinline]] void Coprocessor::ask_auto_ttsync() {
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    const unsigned bit = 1U << thread;
    const Frontend& frontend = frontends[thread];
    if ((watched_ & gates.look & bit) == 0 || !frontend.has_candidate()) continue;
    const Cycle until = frontend.auto_ttsync.held_until();
    if (until <= now) continue;
    gates.hold(thread, {Stall::auto_ttsync, until});
    gates.look &= ~bit;
    gates.withdraw(bit);
  }
}

[[gnu::always_inline]] inline void Coprocessor::look_at_gates() {
  if ((watched_ | unsigned{shuffled_order_}) != 0) return look_at_gates_closely();
  const unsigned look = std::exchange(gates.look, 0U);
  gates.withdraw(look);
  if ((look & 1U) != 0) look_at_gate(0);
  if ((look & 2U) != 0) look_at_gate(1);
  if ((look & 4U) != 0) look_at_gate(2);
}

/// The same with Auto TTSync, or in another order.
[[gnu::noinline]] void Coprocessor::look_at_gates_closely() {
  if (watched_ != 0) ask_auto_ttsync();
  const unsigned look = std::exchange(gates.look, 0U);
  gates.withdraw(look);
  for (const std::uint8_t thread : evaluation_order_)
    if ((look >> thread & 1U) != 0) look_at_gate(thread);
}

/// Nothing here understands the instruction.
void Coprocessor::refuse(unsigned thread) {
  const Entry& entry = frontends[thread].candidate();
  const auto forms = isa::forms_of(arch, isa::opcode_of(entry.word));
  auto category = Fault::Category::not_modelled;
  if (forms.empty())
    category = Fault::Category::undefined_instruction;
  else if (forms.front()->unit == isa::Unit::frontend)
    category = Fault::Category::frontend_only;
  fault = Fault{category, now, thread, entry};
}

/// Which threads issue, as a mask; `held` says why the others do not.
[[gnu::always_inline]] inline unsigned Coprocessor::decide() {
  if (gates.wake <= now) gates.wake_sleepers(now);
  if (gates.look != 0) look_at_gates();
  if (has_requests_ || matrix.port_owner != MatrixUnit::nobody) return arbitrate();
  if (gates.passing != gates.wants_semaphores) {
    if ((gates.passing & (gates.passing - 1)) != 0) return arbitrate();
    const auto alone = static_cast<unsigned>(std::countr_zero(gates.passing));
    if (gates.ports[alone] == Port::none || gates.ports[alone] == Port::matrix) return arbitrate();
    gates.held[alone] = passes;  // nobody beside it wants its port
    return gates.passing;
  }
  // Nothing but semaphore operations, and no store beside them: one of them, by turns.
  if (gates.passing == 0) return 0;
  const unsigned first = turns[last_served[static_cast<std::size_t>(Port::semaphores)]][gates.passing];
  gates.held[first].stall = Stall::issued;
  return 1U << first;
}

unsigned Coprocessor::arbitrate() {
  Ports ports{};
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    if ((gates.passing >> thread & 1U) == 0) continue;
    ports[thread] = gates.ports[thread];
    if (ports[thread] == Port::none) refuse(thread);
  }
  if (mask_of(ports, Port::matrix) != 0 || matrix.port_owner != MatrixUnit::nobody) arbitrate_matrix(ports);
  group_taken_ = false;
  unsigned issuing = 0;
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    if (ports[thread] == Port::none) continue;
    Stall lost = Stall::port_contended;
    bool won = true;
    switch (ports[thread]) {
      case Port::miscellaneous:
      case Port::thread_config:
      case Port::matrix: break;
      case Port::mutexes:
        won = wins_mutex(thread, ports);
        lost = Stall::mutex_contended;
        break;
      case Port::semaphores: lost = Stall::semaphore_group; [[fallthrough]];
      default: {
        const unsigned first = winner(ports, thread);
        won = first == thread || (ports[thread] == Port::configuration && units::shares_rdcfg(*this, thread, first));
      }
    }
    gates.held[thread] = won ? passes : Held{lost};
    if (!won) continue;
    issuing |= 1U << thread;
    group_taken_ = group_taken_ || ports[thread] == Port::semaphores;
  }
  if (has_requests_) mark_accepted(issuing);  // they find room beside what the threads issue
  return issuing;
}

/// Whose turn it is on the port that `thread` wants; RISC-V stores take part for the semaphores (ruling 7).
unsigned Coprocessor::winner(const Ports& ports, unsigned thread) const {
  const Port port = ports[thread];
  unsigned requesters = mask_of(ports, port);
  if (port == Port::semaphores && semaphore_store_) requesters |= 1U << riscv_requester;
  return turns[last_served[static_cast<std::size_t>(port)]][requesters];
}

/// One operation per mutex and cycle; the thread after the last releaser comes first (ruling 6).
bool Coprocessor::wins_mutex(unsigned thread, const Ports& ports) const {
  const unsigned mutex = sync_words::mutex.get(frontends[thread].candidate().word);
  const unsigned releaser = sync.last_releaser[mutex];
  for (unsigned turn = 1; turn <= thread_count; ++turn) {
    const unsigned other = (releaser + turn) % thread_count;
    if (other == thread) return true;
    if (ports[other] == Port::mutexes && sync_words::mutex.get(frontends[other].candidate().word) == mutex)
      return false;
  }
  return true;
}

/// The arbiter picks a thread before Dst is looked at, and the thread keeps the port while it waits (ruling 13).
void Coprocessor::arbitrate_matrix(Ports& ports) {
  const auto wants = [&](unsigned thread) { return ports[thread] == Port::matrix; };
  unsigned pick = matrix.port_owner;
  if (pick >= thread_count || !wants(pick)) {
    const unsigned requesters = mask_of(ports, Port::matrix);
    pick =
        requesters == 0 ? MatrixUnit::nobody : turns[last_served[static_cast<std::size_t>(Port::matrix)]][requesters];
  }
  std::uint8_t owner = MatrixUnit::nobody;
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    if (!wants(thread)) continue;
    gates.hold(thread, thread == pick ? units::matrix_hazard(*this, {frontends[thread].candidate(), thread})
                                      : Held{Stall::port_contended});
    if (gates.held[thread].passes()) continue;
    ports[thread] = Port::none;
    if (thread == pick) owner = static_cast<std::uint8_t>(thread);
  }
  if (matrix.port_owner != owner) {
    matrix.port_owner = owner;
    changed_ = true;
  }
}

// ---- latched waits ----

void Coprocessor::mark_accepted(unsigned issuing) {
  accepted_now_ = {};
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    if ((issuing >> thread & 1U) == 0) continue;
    const Word word = frontends[thread].candidate().word;
    const Occupancy where = operation(word).occupancy;
    const bool by_word = where == Occupancy::unpacker0 || where == Occupancy::packer0;
    accepted_now_[thread] =
        static_cast<std::uint16_t>(by_word ? occupancies(arch, word, where) : 1U << static_cast<unsigned>(where));
  }
}

bool Coprocessor::occupied(Occupancy where, unsigned thread) const {
  return in_flight.holds(where, thread) || (accepted_now_[thread] >> static_cast<unsigned>(where) & 1) != 0;
}

bool Coprocessor::occupied(Occupancy where) const {
  return in_flight.holds(where) || accepted_now(where);
}

/// Drops those of `candidates`' latches none of whose conditions holds any more, from the next cycle on.
template <Coprocessor::Noted noted>
[[gnu::always_inline]] inline void Coprocessor::drop_latches(unsigned candidates, unsigned issuing) {
  if (gates.stall_latched != 0) mark_accepted(issuing);
  for_each_thread(candidates, [this](unsigned thread) __attribute__((always_inline)) {
    const LatchedWait& latch = gates.latches[thread];
    const bool keeps =
        latch.kind == LatchedWait::Kind::semaphore ? sync.keeps_waiting(latch.condition_mask) : keeps_waiting(thread);
    if (keeps) return;
    if constexpr (noted == Noted::all)
      if (journal->wants_any(event::wants_order | event::wants_causes | event::wants_time))
        journal->add(key_of_now(), event::WaitOver{static_cast<std::uint8_t>(thread)});
    gates.drop_latch(thread);
    changed_ = true;
  });
  // A SEMWAIT only sees semaphores: without a change among them the answer stays the same.
  gates.recheck = gates.stall_latched;
}

// ---- effects ----

[[gnu::always_inline]] inline void Coprocessor::has_executed(unsigned thread, Port port) {
  last_served[static_cast<std::size_t>(port)] = static_cast<std::uint8_t>(thread);
  frontends[thread].pop_candidate();
  const unsigned bit = 1U << thread;
  moving_frontends_ |= bit;
  // A semaphore operation changes its own thread's gate only (and says so if SEMWAITs must look again); anything else
  // may change every gate.
  gates.look |= port == Port::semaphores ? bit : all_threads;
}

[[gnu::always_inline]] inline void Coprocessor::execute_other(const Candidate& candidate) {
  const Operation& wanted = operation(candidate.entry.word);
  activity.is(doing(wanted.port));
  wanted.execute(*this, candidate);
  activity.is(time::Doing::gates);
  has_executed(candidate.thread, wanted.port);
  if (wanted.port == Port::vector) look_for_vector_run(candidate.thread);
}

[[gnu::always_inline]] inline void Coprocessor::execute_one(unsigned thread) {
  const Candidate candidate{frontends[thread].candidate(), thread};
  if (!units::SemaphoreOperations::execute(*this, candidate)) return execute_other(candidate);
  has_executed(thread, Port::semaphores);
}

/// One instruction, as in most cycles, or several.
[[gnu::always_inline]] inline void Coprocessor::execute(unsigned issuing) {
  changed_ = true;
  switch (issuing) {
    case 1: return execute_one(0);
    case 2: return execute_one(1);
    case 4: return execute_one(2);
    default: return execute_together(issuing);
  }
}

void Coprocessor::execute_together(unsigned issuing) {
  std::array<Turn, thread_count> turn_of{};
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if ((issuing >> thread & 1U) != 0) turn_of[thread] = operation(frontends[thread].candidate().word).turn;
  for (const Turn turn : {Turn::sample, Turn::change, Turn::supply})
    for (unsigned thread = 0; thread < thread_count; ++thread)
      if ((issuing >> thread & 1U) != 0 && turn_of[thread] == turn) execute_one(thread);
}

/// What units do without an instruction of this cycle.
[[gnu::noinline]] void Coprocessor::advance_units(unsigned issuing) {
  activity.is(time::Doing::unpackers);
  if (unpackers.is_active() && units::advance_unpackers(*this)) changed_ = true;
  activity.is(time::Doing::gates);
  if (!vector.schedule.any()) return;
  bool issues = false;
  for (unsigned thread = 0; thread < thread_count; ++thread)
    issues =
        issues || ((issuing >> thread & 1U) != 0 && operation(frontends[thread].candidate().word).port == Port::vector);
  units::advance_vector(*this, issues);
  changed_ = true;
}

/// What cores have asked for and the units have room for beside the threads' instructions, at the end of the cycle.
void Coprocessor::do_requests() {
  gates.look = all_threads;
  gates.recheck = all_threads;
  if (core_requests.any()) land_core_requests();
  if (reset_src_banks_) {
    src = {};
    reset_src_banks_ = false;
  }
  if (semaphore_store_ && !group_taken_) land_semaphore_store();
  has_requests_ = semaphore_store_.has_value() || core_requests.any();
}

void Coprocessor::land_semaphore_store() {
  const auto mask = static_cast<std::uint8_t>(1U << semaphore_store_->semaphore);
  if (semaphore_store_->decrements)
    sync.get(mask);
  else
    sync.post(mask);
  if (causes_are_noted())
    journal->add(key_of_now(), event::SemaphoreStored{semaphore_store_->core, semaphore_store_->semaphore,
                                                      semaphore_store_->decrements});
  semaphore_store_.reset();
  last_served[static_cast<std::size_t>(Port::semaphores)] = riscv_requester;
  changed_ = true;
}

void Coprocessor::hand_to_matrix(Src which) {
  const auto file = static_cast<unsigned>(which);
  const unsigned bank = src.unpack_bank[file];
  if (in_flight.cancel_src_return(now, file * 2U + bank)) src.returning[file][bank] = false;
  src.hand_to_matrix(which);
}

void Coprocessor::complete(const Record& record) {
  switch (record.effect) {
    case Effect::none: break;
    case Effect::gpr_write:
      gprs.value[record.thread][record.destination] = record.values[0];
      written.add_gpr(record.thread, record.destination);
      break;
    case Effect::config_write: units::land_config_write(*this, record); break;
    case Effect::src_return: src.end_return(record.destination); break;
    case Effect::unpack_done: break;  // see retire()
    case Effect::pack_done: units::finish_pack(*this, record.destination); break;
    case Effect::gpr_half_write: write_half(gprs, record.thread, record.destination, record.values[0]); break;
    case Effect::l1_request: units::finish_scalar_request(*this, record); break;
    case Effect::src_store: units::finish_src_store(*this, record); break;
    case Effect::adc_write: units::finish_adc_write(*this, record); break;
  }
}

namespace {

/// What the operation writes when it completes, or before, of the registers that Auto TTSync knows of. Of packers and
/// unpackers, which are said to write the state of TDMA-RISC, nothing: their order with the core ends at the gate, as
/// AutoTTSync.md says of all (assumed), because they may have to wait for the core themselves.
ResourceSet tracked_writes_of(const Record& record, Word word) {
  switch (record.where) {
    case Occupancy::scalar_memory:
      if (isa::opcode_of(word) == "STOREIND"_op) return resources::none;  // its offset has advanced before
      [[fallthrough]];
    case Occupancy::scalar: return gpr_use(word).writes.empty() ? resources::none : resources::gprs;
    case Occupancy::configuration:
      if (record.effect == Effect::config_write) return resources::both_banks(resources::all_parts);
      return record.effect == Effect::gpr_write ? resources::gprs : resources::none;
    default: return resources::none;
  }
}

}  // namespace

/// In which cycles the instruction is in its unit.
[[gnu::always_inline]] inline const Record& Coprocessor::in_unit(const Candidate& candidate, Record& record,
                                                                 Cycle latency) const {
  record.accepted = now;
  record.last = latency == never ? never : now + latency - 1;
  record.word = candidate.entry.word;
  record.source = candidate.entry.source();
  record.thread = static_cast<std::uint8_t>(candidate.thread);
  return record;
}

unsigned Coprocessor::start(const Candidate& candidate, Record record, Cycle latency) {
  if ((watched_ >> candidate.thread & 1U) != 0)
    record.tracked_writes =
        frontends[candidate.thread].auto_ttsync.write_starts(tracked_writes_of(record, candidate.entry.word));
  return in_flight.add(in_unit(candidate, record, latency));
}

unsigned Coprocessor::start(const Candidate& candidate, Occupancy where, Cycle latency) {
  Record record;
  record.where = where;
  if ((watched_ >> candidate.thread & 1U) != 0) return start(candidate, record, latency);
  return in_flight.add_without_effect(in_unit(candidate, record, latency));
}

/// Nobody who does not ask pays for those who want to know: what is noted has code of its own.
template <Coprocessor::Noted noted>
[[gnu::always_inline]] inline void Coprocessor::run_cycle() {
  if (scalar.is_active) units::advance_scalar(*this);
  changed_ = false;

  const unsigned issuing = decide();  // with the state as it is now, at the start of the cycle
  if (fault) return;
  for (unsigned thread = 0; thread < thread_count; ++thread)
    ++accounts[thread][gates.held[thread].stall];
  // Waits that are over are told before what is issued in this cycle, which they have not seen: a wait among it takes the latch
  // anew (ruling 4).
  if (const unsigned candidates = gates.latched & gates.recheck; candidates != 0)
    drop_latches<noted>(candidates, issuing);
  if constexpr (noted == Noted::all) note_gates(issuing);
  if constexpr (noted == Noted::last_issues) note_last_issues(issuing);
  if (unpackers.is_active() || vector.schedule.any()) advance_units(issuing);
  if (issuing != 0) execute(issuing);  // seen from the next cycle on; a new wait wins over a drop (ruling 4)
  if constexpr (noted != Noted::nothing)
    if (shake_seed != 0) shake(issuing);
  if (has_requests_) do_requests();
  if (moving_frontends_ != 0) advance_frontends();
  ++now;
  if (in_flight.next_completion() < now) retire();
}

void Coprocessor::step_any() {
  if (journal != nullptr) [[unlikely]]
    return step_noted();
  run_cycle<Noted::nothing>();
}

[[gnu::noinline]] void Coprocessor::step_noted() {
  if (journal->wants_last_issues_only()) return run_cycle<Noted::last_issues>();
  run_cycle<Noted::all>();
}

// ---- the outside ----

void Coprocessor::push_from_brisc(unsigned thread, Word word, std::uint32_t origin) {
  frontends[thread].push_from_brisc(word, origin);
  moving_frontends_ |= 1U << thread;
  changed_ = true;
}

void Coprocessor::store_semaphore(unsigned core, unsigned semaphore, std::uint32_t value) {
  semaphore_store_ =
      SemaphoreStore{static_cast<std::uint8_t>(core), static_cast<std::uint8_t>(semaphore), (value & 1U) != 0};
  has_requests_ = true;
  changed_ = true;
}

bool Coprocessor::store_stream(unsigned stream, unsigned index, std::uint32_t value) {
  if (!store_stream_register(arch, streams, stream, index, value)) return false;
  gates.recheck = all_threads;  // a STREAMWAIT may have waited for it
  changed_ = true;
  return true;
}

void Coprocessor::write_mop_config(unsigned thread, unsigned word, Word value) {
  if (word < MopExpander::config_words) frontends[thread].set_mop_word(word, value);
  changed_ = true;
}

void Coprocessor::write_thread_config(const ThreadConfigStore& write) {
  leave_vector_run();
  const ConfigEffects effects = store(config, arch, write);
  if ((effects & resets_context_counter) != 0) unpackers.reset_context_counters(write.thread);
  if ((effects & switches_auto_ttsync) == 0) return;
  Frontend& frontend = frontends[write.thread];
  const unsigned bit = 1U << write.thread;
  frontend.enable_auto_ttsync(TtSyncEnables::from_word(write.value), config_bank_of(config, arch, write.thread));
  watched_ = static_cast<std::uint8_t>(frontend.auto_ttsync.is_on() ? watched_ | bit : watched_ & ~bit);
}

void Coprocessor::core_access_done(unsigned thread, AutoTtSync::Ticket ticket, Cycle processed) {
  if (ticket == AutoTtSync::no_ticket) return;
  frontends[thread].auto_ttsync.access_done(ticket, processed, gates.held[thread].stall == Stall::auto_ttsync);
  gates.look |= 1U << thread;
  changed_ = true;
}

void Coprocessor::tracked_writes_landed(unsigned slot) {
  const Record& record = in_flight[slot];
  frontends[record.thread].auto_ttsync.write_landed(record.tracked_writes);
  in_flight.clear_tracked_writes(slot);
}

void Coprocessor::reset_auto_ttsync() {
  for (unsigned thread = 0; thread < thread_count; ++thread)
    frontends[thread].reset_auto_ttsync(config_bank_of(config, arch, thread));
  gates.look = all_threads;
  changed_ = true;
}

bool Coprocessor::is_idle() const {
  return std::ranges::all_of(frontends, &Frontend::is_empty) && in_flight.is_empty() && !semaphore_store_ &&
         !core_requests.has_stores() && !vector.schedule.advances();
}

bool Coprocessor::thread_is_idle(unsigned thread) const {
  if (!frontends[thread].is_empty()) return false;
  bool idle = true;
  in_flight.for_each([&](const Record& record) { idle = idle && (record.thread != thread || record.last < now); });
  return idle;
}

void Coprocessor::seed_generators() {
  const std::uint32_t seed = config.bank[0][static_cast<std::size_t>("PRNG_SEED_Seed_Val"_config.on(arch).word)];
  packers.seed(seed);
  vector.registers.seed(seed);
}

}  // namespace tensim::tensix
