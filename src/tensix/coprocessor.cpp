#include "tensix/coprocessor.hpp"

#include <algorithm>

#include "isa/table.hpp"
#include "tensix/units/hooks.hpp"

namespace tensim::tensix {

using namespace isa::literals;
using insight::Stall;

Coprocessor::Coprocessor(Arch chip, const Parameters& durations)
    : arch(chip), operations(&operation_table(chip)), parameters(durations) {
  for (unsigned thread = 0; thread < thread_count; ++thread)
    frontends[thread] = Frontend(chip, thread);
  last_served.fill(thread_count - 1);  // T0 comes first
}

// ---- the cycle ----

void Coprocessor::step() {
  retire();  // what landed at the end of the last one
  units::read_scalar_operands(*this);
  accepted_now_ = {};
  changed_ = false;

  const std::uint8_t issuing = decide();  // with the state as it is now, at the start of the cycle
  if (fault) return;
  account(issuing);
  mark_accepted(issuing);
  const std::uint8_t dropped = dropped_latches();
  if (units::advance_unpackers(*this)) changed_ = true;
  execute(issuing);  // changes are seen from the next cycle on
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if ((dropped >> thread & 1U) != 0) latches[thread] = {};
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    if (!new_latch_[thread].is_valid()) continue;
    latches[thread] = new_latch_[thread];  // wins over a drop in the same cycle (ruling 4)
    new_latch_[thread] = {};
  }
  changed_ = changed_ || issuing != 0 || dropped != 0;

  for (const std::uint8_t thread : evaluation_order) {
    FrontendNotes notes;
    if (frontends[thread].advance(arch, notes)) changed_ = true;
    note(thread, notes);
  }
  ++now;
}

void Coprocessor::retire() {
  // Banks that come back do so before any that an unpacker hands over in the same cycle.
  std::array<bool, 2> unpacked{};
  in_flight.retire(now, [&](const Record& record) {
    if (record.effect == Effect::unpack_done)
      unpacked[record.destination] = true;
    else
      complete(record);
  });
  for (unsigned unpacker = 0; unpacker < unpacked.size(); ++unpacker)
    if (unpacked[unpacker]) units::finish_unpack(*this, unpacker);
}

Cycle Coprocessor::next_event() const {
  Cycle event = in_flight.next_completion() == never ? never : in_flight.next_completion() + 1;
  for (const Held& reason : held)
    event = std::min(event, reason.until);
  return std::min(event, units::next_unpacker_event(*this));
}

void Coprocessor::account(std::uint8_t issuing) {
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    const bool issues = (issuing >> thread & 1U) != 0;
    ++accounts[thread][held[thread].stall];
    if (observer == nullptr) continue;
    if (issues)
      observer->issued(now, thread, frontends[thread].candidate().word, frontends[thread].candidate().origin());
    else
      observer->held(now, 1, thread, held[thread].stall);
  }
}

void Coprocessor::skip_to(Cycle to) {
  if (observer != nullptr)
    for (unsigned thread = 0; thread < thread_count; ++thread)
      observer->held(now, to - now, thread, held[thread].stall);
  for (unsigned thread = 0; thread < thread_count; ++thread)
    accounts[thread][held[thread].stall] += to - now;
  now = to;
}

// ---- the gates ----

Held Coprocessor::look_at_gate(unsigned thread) {
  if (!frontends[thread].has_candidate()) return {Stall::empty};
  const Candidate candidate{frontends[thread].candidate(), thread};
  const Operation& wanted = operation(candidate.entry.word);
  if (latches[thread].is_valid() && wanted.block.held_by(latches[thread].block_mask)) return {Stall::latched_wait};
  if (gate_closed[thread].until > now && gate_closed[thread].until != never) return gate_closed[thread];
  if (wanted.execute == nullptr) {
    const auto forms = isa::forms_of(arch, isa::opcode_of(candidate.entry.word));
    const auto category = forms.empty()                                ? Fault::Category::undefined_instruction
                          : forms.front()->unit == isa::Unit::frontend ? Fault::Category::frontend_only
                                                                       : Fault::Category::not_modelled;
    fault = Fault{category, now, thread, candidate.entry};
    return {Stall::unit_busy};
  }
  return wanted.check != nullptr ? wanted.check(*this, candidate) : passes;
}

std::uint8_t Coprocessor::decide() {
  std::array<Port, thread_count> ports{};
  for (const std::uint8_t thread : evaluation_order) {
    held[thread] = look_at_gate(thread);
    if (held[thread].passes()) ports[thread] = operation(frontends[thread].candidate().word).port;
  }
  arbitrate_matrix(ports);
  std::uint8_t issuing = 0;
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    Stall lost = Stall::port_contended;
    bool won = true;
    switch (ports[thread]) {
      case Port::none: continue;
      case Port::miscellaneous:
      case Port::thread_config:
      case Port::matrix: break;
      case Port::semaphores:
        won = wins_semaphores(thread, ports);
        lost = Stall::semaphore_group;
        break;
      case Port::mutexes:
        won = wins_mutex(thread, ports);
        lost = Stall::mutex_contended;
        break;
      default: won = wins(thread, ports); break;
    }
    if (won)
      issuing |= static_cast<std::uint8_t>(1U << thread);
    else
      held[thread] = {lost};
  }
  return issuing;
}

bool Coprocessor::wins(unsigned thread, const std::array<Port, thread_count>& ports) const {
  const Port port = ports[thread];
  const unsigned last = last_served[static_cast<std::size_t>(port)];
  unsigned winner = thread;
  for (unsigned turn = 1; turn <= thread_count; ++turn)
    if (const unsigned other = (last + turn) % thread_count; ports[other] == port) {
      winner = other;
      break;
    }
  if (winner == thread) return true;
  return units::shares_rdcfg(*this, thread, winner);
}

/// T0, T1, T2 and RISC-V stores take turns (ruling 7).
bool Coprocessor::wins_semaphores(unsigned thread, const std::array<Port, thread_count>& ports) const {
  for (unsigned turn = 1; turn <= thread_count + 1; ++turn) {
    const unsigned requester = (last_semaphore_requester_ + turn) % (thread_count + 1);
    if (requester == thread) return true;
    const bool wants =
        requester == riscv_requester ? semaphore_store_.has_value() : ports[requester] == Port::semaphores;
    if (wants) return false;
  }
  return true;
}

/// One operation per mutex and cycle; the thread after the last releaser comes first (ruling 6).
bool Coprocessor::wins_mutex(unsigned thread, const std::array<Port, thread_count>& ports) const {
  const unsigned mutex = frontends[thread].candidate().word & 0xFFFFU;
  const unsigned releaser = sync.last_releaser[mutex];
  for (unsigned turn = 1; turn <= thread_count; ++turn) {
    const unsigned other = (releaser + turn) % thread_count;
    if (other == thread) return true;
    if (ports[other] == Port::mutexes && (frontends[other].candidate().word & 0xFFFFU) == mutex) return false;
  }
  return true;
}

/// The arbiter picks a thread before Dst is looked at, and the thread keeps the port while it waits (ruling 13).
void Coprocessor::arbitrate_matrix(std::array<Port, thread_count>& ports) {
  const auto wants = [&](unsigned thread) { return ports[thread] == Port::matrix; };
  unsigned pick = matrix.port_owner;
  if (pick >= thread_count || !wants(pick)) {
    const unsigned last = last_served[static_cast<std::size_t>(Port::matrix)];
    pick = MatrixUnit::nobody;
    for (unsigned turn = thread_count; turn >= 1; --turn)
      if (const unsigned thread = (last + turn) % thread_count; wants(thread)) pick = thread;
  }
  std::uint8_t owner = MatrixUnit::nobody;
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    if (!wants(thread)) continue;
    held[thread] = thread == pick ? units::matrix_hazard(*this, {frontends[thread].candidate(), thread})
                                  : Held{Stall::port_contended};
    if (held[thread].passes()) continue;
    ports[thread] = Port::none;
    if (thread == pick) owner = static_cast<std::uint8_t>(thread);
  }
  if (matrix.port_owner != owner) {
    matrix.port_owner = owner;
    changed_ = true;
  }
}

// ---- latched waits ----

void Coprocessor::mark_accepted(std::uint8_t issuing) {
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    if ((issuing >> thread & 1U) == 0) continue;
    const Word word = frontends[thread].candidate().word;
    const Occupancy where = operation(word).occupancy;
    const unsigned all = units::occupancies(arch, word, where);
    for (unsigned index = 0; index < occupancy_count; ++index)
      if ((all >> index & 1U) != 0) accepted_now_[index] |= static_cast<std::uint8_t>(1U << thread);
  }
}

bool Coprocessor::occupied(Occupancy where, unsigned thread) const {
  return in_flight.holds(where, thread) || (accepted_now_[static_cast<std::size_t>(where)] >> thread & 1U) != 0;
}

bool Coprocessor::occupied(Occupancy where) const {
  return in_flight.holds(where) || accepted_now_[static_cast<std::size_t>(where)] != 0;
}

std::uint8_t Coprocessor::dropped_latches() const {
  std::uint8_t dropped = 0;
  for (const std::uint8_t thread : evaluation_order)
    if (latches[thread].is_valid() && !keeps_waiting(thread)) dropped |= static_cast<std::uint8_t>(1U << thread);
  return dropped;
}

// ---- effects ----

void Coprocessor::execute(std::uint8_t issuing) {
  for (const Turn turn : {Turn::sample, Turn::change, Turn::supply})
    for (unsigned thread = 0; thread < thread_count; ++thread) {
      if ((issuing >> thread & 1U) == 0) continue;
      const Candidate candidate{frontends[thread].candidate(), thread};
      const Operation& wanted = operation(candidate.entry.word);
      if (wanted.turn != turn) continue;
      wanted.execute(*this, candidate);
      last_served[static_cast<std::size_t>(wanted.port)] = static_cast<std::uint8_t>(thread);
      if (wanted.port == Port::semaphores) last_semaphore_requester_ = static_cast<std::uint8_t>(thread);
    }
  land_core_config_store();
  if (reset_src_banks_) {
    src = {};
    reset_src_banks_ = false;
  }
  const bool group_taken =
      accepted_now_[static_cast<std::size_t>(Occupancy::sync)] != 0 && semaphore_group_used(issuing);
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if ((issuing >> thread & 1U) != 0) frontends[thread].pop_candidate();
  if (semaphore_store_ && !group_taken) {
    const auto mask = static_cast<std::uint8_t>(1U << semaphore_store_->semaphore);
    if (semaphore_store_->decrements)
      sync.get(mask);
    else
      sync.post(mask);
    semaphore_store_.reset();
    last_semaphore_requester_ = riscv_requester;
    changed_ = true;
  }
}

bool Coprocessor::semaphore_group_used(std::uint8_t issuing) const {
  for (unsigned thread = 0; thread < thread_count; ++thread)
    if ((issuing >> thread & 1U) != 0 && operation(frontends[thread].candidate().word).port == Port::semaphores)
      return true;
  return false;
}

void Coprocessor::hand_to_matrix(Src which) {
  const auto file = static_cast<unsigned>(which);
  in_flight.cancel_src_return(now, file * 2U + src.unpack_bank[file]);
  src.hand_to_matrix(which);
}

void Coprocessor::complete(const Record& record) {
  switch (record.effect) {
    case Effect::none: break;
    case Effect::gpr_write: gprs.value[record.thread][record.destination] = record.values[0]; break;
    case Effect::config_write: units::land_config_write(*this, record); break;
    case Effect::src_return:
      for (unsigned bank = 0; bank < 4; ++bank)
        if ((record.destination >> bank & 1U) != 0) src.matrix_owns[bank / 2][bank % 2] = false;
      break;
    case Effect::unpack_done: break;  // see retire()
  }
}

unsigned Coprocessor::start(const Candidate& candidate, Record record, Cycle latency) {
  record.accepted = now;
  record.last = latency == never ? never : now + latency - 1;
  record.word = candidate.entry.word;
  record.origin = candidate.entry.origin();
  record.thread = static_cast<std::uint8_t>(candidate.thread);
  return in_flight.add(record);
}

// ---- the outside ----

void Coprocessor::push(unsigned thread, Word word, std::uint32_t origin) {
  frontends[thread].push(word, origin);
  changed_ = true;
}

void Coprocessor::push_from_brisc(unsigned thread, Word word, std::uint32_t origin) {
  frontends[thread].push_from_brisc(word, origin);
  changed_ = true;
}

void Coprocessor::store_semaphore(unsigned semaphore, std::uint32_t value) {
  semaphore_store_ = SemaphoreStore{static_cast<std::uint8_t>(semaphore), (value & 1U) != 0};
  changed_ = true;
}

void Coprocessor::store_config(const ConfigStore& write, std::optional<unsigned> thread) {
  config_store_ = PendingConfig{write, thread};
  if (thread) ++core_requests[*thread];
  changed_ = true;
}

/// Cores' requests share the Configuration Unit's group with the threads' instructions, which come first (assumed).
void Coprocessor::land_core_config_store() {
  if (!config_store_ || !units::takes_core_request(*this)) return;
  store(config, arch, config_store_->write);
  if (config_store_->thread) --core_requests[*config_store_->thread];
  config_store_.reset();
  changed_ = true;
}

void Coprocessor::write_mop_config(unsigned thread, unsigned word, Word value) {
  if (word < MopExpander::config_words) frontends[thread].mop.config[word] = value;
  changed_ = true;
}

bool Coprocessor::thread_is_idle(unsigned thread) const {
  return frontends[thread].is_empty() && !in_flight.holds_any(thread);
}

bool Coprocessor::is_idle() const {
  return std::ranges::all_of(frontends, &Frontend::is_empty) && in_flight.is_empty() && !semaphore_store_ &&
         !config_store_;
}

void Coprocessor::report(Report::Category category, const Candidate& candidate) {
  constexpr std::size_t most = 1000;  // a kernel in a loop must not fill the host's memory
  if (reports.size() < most) reports.push_back({category, now, candidate.thread, candidate.entry});
}

void Coprocessor::note(unsigned thread, const FrontendNotes& notes) {
  if (notes.dropped_at_mux) report(Report::Category::mux_drop, {*notes.dropped_at_mux, thread});
  if (notes.inline_mop) report(Report::Category::inline_mop_count, {*notes.inline_mop, thread});
  if (notes.long_replay) report(Report::Category::replay_count, {*notes.long_replay, thread});
}

}  // namespace tensim::tensix
