#include "insight/tile_path.hpp"

#include <algorithm>
#include <bit>

#include "arch/wait_conditions.hpp"
#include "insight/condition_units.hpp"
#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tensix/units/sync/words.hpp"

namespace tensim::insight {

using namespace isa::literals;
using event::Stall;
using tensix::LatchedWait;
using tensix::Occupancy;
namespace sync_words = tensix::sync_words;

namespace {

const Chain none;

/// One job at a time: what comes behind another begins when that is done.
bool is_queue(Occupancy unit) {
  switch (unit) {
    case Occupancy::unpacker0:
    case Occupancy::unpacker1:
    case Occupancy::packer0:
    case Occupancy::packer1:
    case Occupancy::packer2:
    case Occupancy::packer3:
    case Occupancy::mover: return true;
    default: return false;
  }
}

}  // namespace

TilePath::TilePath(Chains& chains, std::uint32_t number, const tile::Tile& tile)
    : Listener(event::wants_time | event::wants_causes),
      number_(number),
      arch_(tile.arch),
      has_script_(tile.script.is_given()),
      l1_bytes_(tile.l1.size()),
      l1_(&region_of(tile.arch, Region::Kind::l1)),
      timing_(tile.coprocessor.timing),
      is_poll_(polls_of(tile)) {
  for (unsigned core = 0; core < tile::core_count; ++core) {
    views_[core] = tile.devices.view_of(static_cast<tile::CoreId>(core));
    cores_[core].chain = chains.start();
  }
  for (Thread& thread : threads_)
    thread.chain = chains.start();
}

void TilePath::happened(const event::Event& event) {
  const Cycle cycle = event.cycle();
  struct Visitor {
    TilePath& path;
    const event::Event& event;
    Cycle cycle;
    void operator()(const event::Issued& what) const { path.issued(what, cycle); }
    void operator()(const event::Held& what) const { path.held(what, cycle); }
    void operator()(const event::WaitOver& what) const { path.wait_is_over(what.thread); }
    void operator()(const event::Left& what) const { path.left(what, cycle); }
    void operator()(const event::BankFilled& what) const { path.bank_filled(what, cycle); }
    void operator()(const event::BanksReturned& what) const { path.banks_returned(what, cycle); }
    void operator()(const event::ConfigWritten&) const {}
    void operator()(const event::SemaphoreStored& what) const { path.semaphore_stored(what, cycle); }
    void operator()(const event::Stored& what) const { path.stored(what, cycle); }
    void operator()(const event::Landed& what) const { path.landed(what, cycle); }
    void operator()(const event::Loaded& what) const { path.loaded(what, cycle); }
    void operator()(const event::Used&) const {}
    void operator()(const event::Updated& what) const { path.updated(what, cycle); }
    void operator()(const event::Fenced&) const {}
    void operator()(const event::Released& what) const { path.released(what, cycle); }
    void operator()(const event::Touched& what) const { path.touched(event, what); }
    void operator()(const event::Moved& what) const { path.moved(what, cycle); }
  };
  std::visit(Visitor{*this, event, cycle}, event.what);
}

Chain TilePath::last(Cycle end) {
  Chain last;
  const auto look_at = [&](const Chain& chain) {
    if (chain && (!last || chain.until() > last.until())) last = chain;
  };
  for (unsigned core = 0; core < tile::core_count; ++core) {
    if (!has_script_) go_to(core, end);
    look_at(cores_[core].chain);
  }
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    if (threads_[thread].hold && threads_[thread].hold->stall != Stall::empty) end_hold(thread);
    look_at(threads_[thread].chain);
  }
  for (const Chain& chain : left_last_)
    look_at(chain);
  return last;
}

// ---- gates ----

const TilePath::Issue* TilePath::Issues::at(Cycle cycle) const {
  const auto found = std::ranges::lower_bound(issues_, cycle, {}, &Issue::cycle);
  return found == issues_.end() || found->cycle != cycle ? nullptr : &*found;
}

const TilePath::Issue* TilePath::Issues::before(Cycle cycle) const {
  const auto found = std::ranges::lower_bound(issues_, cycle, {}, &Issue::cycle);
  return found == issues_.begin() ? nullptr : &*(found - 1);
}

Step TilePath::gate_step(unsigned thread, Stall stall, std::uint32_t word, std::uint32_t origin,
                         bool is_from_brisc) const {
  return {.kind = Step::Kind::gate,
          .reason = static_cast<std::uint8_t>(stall),
          .agent = static_cast<std::uint8_t>(thread),
          .is_from_brisc = is_from_brisc,
          .tile = number_,
          .origin = origin,
          .word = word};
}

void TilePath::issued(const event::Issued& issue, Cycle cycle) {
  Thread& thread = threads_[issue.thread];
  const bool is_from_brisc = issue.pusher != 0;
  if (thread.hold) {
    if (thread.hold->stall == Stall::empty) {  // it is this one that it was empty without
      thread.hold->word = issue.word;
      thread.hold->origin = issue.origin;
      thread.hold->is_from_brisc = is_from_brisc;
      thread.hold->push = issue.push;
    }
    end_hold(issue.thread);
  }
  thread.chain.extend(gate_step(issue.thread, Stall::issued, issue.word, issue.origin, is_from_brisc), cycle + 1);
  thread.issues.add({cycle, thread.chain, issue.word, issue.origin, is_from_brisc,
                     static_cast<std::uint8_t>((thread.pushed[issue.pusher] - issue.push) % push_numbers)});
  synchronise(issue);
}

void TilePath::held(const event::Held& hold, Cycle cycle) {
  Thread& thread = threads_[hold.thread];
  if (thread.hold && (thread.hold->stall != hold.stall || thread.hold->word != hold.word)) {
    if (thread.hold->stall == Stall::empty) {  // the number of its push is known when it passes
      thread.hold->word = hold.word;
      thread.hold->origin = hold.origin;
      thread.hold->is_from_brisc = hold.pusher != 0;
      thread.hold->push = hold.push;
    }
    end_hold(hold.thread);
  }
  if (!thread.hold) thread.hold = Hold{hold.stall, cycle, hold.word, hold.origin, hold.pusher != 0, hold.push};
  thread.hold->until = cycle + hold.count;
}

void TilePath::end_hold(unsigned number) {
  Thread& thread = threads_[number];
  const Hold hold = *thread.hold;
  thread.hold.reset();
  const Chain* const cause = cause_of(number, hold);
  const bool is_behind_cause =
      cause != nullptr && *cause && cause->until() > thread.chain.until() && cause->until() <= hold.until;
  if (is_behind_cause) thread.chain = *cause;
  if (hold.stall == Stall::latched_wait)
    thread.chain.extend(gate_step(number, hold.stall, thread.latch_word, thread.latch_origin, thread.latch_from_brisc),
                        hold.until);
  else if (hold.stall == Stall::empty && is_behind_cause)
    thread.chain.extend({.kind = Step::Kind::frontend,
                         .agent = static_cast<std::uint8_t>(number),
                         .is_from_brisc = hold.is_from_brisc,
                         .tile = number_,
                         .origin = hold.origin,
                         .word = hold.word},
                        hold.until);
  else
    thread.chain.extend(gate_step(number, hold.stall, hold.word, hold.origin, hold.is_from_brisc), hold.until);
}

const Chain& TilePath::push_of(unsigned thread, const Hold& hold) const {
  return threads_[thread].pushes[hold.is_from_brisc ? 1 : 0][hold.push % push_numbers];
}

/// What the instruction at the gate waited for last; null, or nothing, if that was its own thread.
const Chain* TilePath::cause_of(unsigned number, const Hold& hold) const {
  const tensix::Operation& operation = timing_->operations[isa::opcode_of(hold.word)];
  switch (hold.stall) {
    case Stall::empty: return &push_of(number, hold);
    case Stall::latched_wait: return &threads_[number].released;
    case Stall::mutex_held: return &mutexes_[sync_words::mutex.get(hold.word) % mutexes_.size()];
    case Stall::src_a_not_valid: return &filled_last_[0];
    case Stall::src_b_not_valid: return &filled_last_[1];
    case Stall::unit_busy: {
      if (operation.occupancy != Occupancy::unpacker0 && operation.occupancy != Occupancy::packer0)
        return &left_last_[static_cast<std::size_t>(operation.occupancy)];
      const unsigned units = tensix::occupancies(arch_, hold.word, operation.occupancy);
      const Chain* last = nullptr;
      for (unsigned left = units; left != 0; left &= left - 1) {
        const Chain& each = left_last_[static_cast<unsigned>(std::countr_zero(left))];
        if (last == nullptr || each.until() > last->until()) last = &each;
      }
      return last;
    }
    case Stall::mover_busy: return &left_last_[static_cast<std::size_t>(Occupancy::mover)];
    case Stall::auto_ttsync: return &settings_[number + 1];
    default: return nullptr;
  }
}

// ---- who makes threads go on ----

void TilePath::synchronise(const event::Issued& issue) {
  Thread& thread = threads_[issue.thread];
  switch (isa::opcode_of(issue.word)) {
    case "SEMPOST"_op:
    case "SEMGET"_op:
    case "SEMINIT"_op:
      for (unsigned left = sync_words::semaphore_mask_of(issue.word); left != 0; left &= left - 1)
        semaphores_[static_cast<unsigned>(std::countr_zero(left))] = thread.chain;
      return;
    case "ATRELM"_op: mutexes_[sync_words::mutex.get(issue.word) % mutexes_.size()] = thread.chain; return;
    default: break;
  }
  if (!tensix::latches_wait(issue.word)) return;
  thread.latch = tensix::latched_wait(arch_, {issue.word, 0});
  thread.latch_word = issue.word;
  thread.latch_origin = issue.origin;
  thread.latch_from_brisc = issue.pusher != 0;
  thread.released = Chain();
}

void TilePath::wait_is_over(unsigned number) {
  Thread& thread = threads_[number];
  const Chain* last = &none;
  const auto look_at = [&](const Chain& chain) {
    if (chain.until() > last->until()) last = &chain;
  };
  if (thread.latch.kind == LatchedWait::Kind::semaphore)
    for (unsigned i = 0; i < semaphores_.size(); ++i)
      if (((thread.latch.condition_mask | thread.latch.condition_mask >> tensix::at_maximum_shift) >> i & 1U) != 0)
        look_at(semaphores_[i]);
  if (thread.latch.kind == LatchedWait::Kind::stall)
    for (const Symbol& condition : stall_conditions(arch_).symbols)
      if ((thread.latch.condition_mask & condition.value) != 0) look_at(condition_cause(number, condition.name));
  thread.released = *last;
}

const Chain& TilePath::condition_cause(unsigned thread, std::string_view condition) const {
  const Chain* last = &none;
  for (const ConditionUnit& row : condition_units) {
    if (row.condition != condition) continue;
    const auto unit = static_cast<std::size_t>(row.unit);
    const Chain& chain = row.is_of_all_threads ? left_last_[unit] : left_[unit][thread];
    if (chain.until() > last->until()) last = &chain;
  }
  if (condition == "TRISC_CFG") return settings_[thread + 1];
  if (condition == "SRCA_CLR") return returned_last_[0];
  if (condition == "SRCB_CLR") return returned_last_[1];
  if (condition == "SRCA_VLD") return filled_last_[0];
  if (condition == "SRCB_VLD") return filled_last_[1];
  return *last;
}

// ---- units ----

/// The instruction has been in its unit until then; if it has waited there for something, since that.
Chain TilePath::in_unit(const Issue& issue, unsigned thread, Occupancy unit, const Chain& since, Cycle until) const {
  Chain chain = since && since.until() > issue.chain.until() && since.until() < until ? since : issue.chain;
  chain.extend({.kind = Step::Kind::unit,
                .reason = static_cast<std::uint8_t>(unit),
                .agent = static_cast<std::uint8_t>(thread),
                .is_from_brisc = issue.is_from_brisc,
                .tile = number_,
                .origin = issue.origin,
                .word = issue.word},
               until);
  return chain;
}

void TilePath::left(const event::Left& left, Cycle cycle) {
  const Issue* const issue = threads_[left.thread].issues.at(left.accepted);
  if (issue == nullptr) return;
  const auto unit = static_cast<Occupancy>(left.unit);
  Chain since = is_queue(unit) ? left_last_[left.unit] : Chain();
  if (unit == Occupancy::unpacker0 || unit == Occupancy::unpacker1) {
    const Chain& filled = filled_last_[unit == Occupancy::unpacker1];
    if (filled.until() == cycle + 1) {  // it has been worked out already, with the bank that it waited for
      left_last_[left.unit] = left_[left.unit][left.thread] = filled;
      return;
    }
  }
  const Chain chain = in_unit(*issue, left.thread, unit, since, cycle + 1);
  left_[left.unit][left.thread] = chain;
  left_last_[left.unit] = chain;
}

/// Told before the unpacker's Left of the same cycle.
void TilePath::bank_filled(const event::BankFilled& filled, Cycle cycle) {
  const Issue* const issue = threads_[filled.thread].issues.at(filled.accepted);
  const unsigned file = filled.unpacker;
  const auto unit = file == 0 ? Occupancy::unpacker0 : Occupancy::unpacker1;
  if (issue == nullptr) {  // SETDVALID, in the cycle in which it is issued
    if (filled.hands_over) filled_last_[file] = filled_[file][filled.bank] = threads_[filled.thread].chain;
    return;
  }
  const Chain& bank = filled.waited ? returned_[file][filled.bank] : none;
  const Chain& since = later(left_last_[static_cast<std::size_t>(unit)], bank);
  const Chain chain = in_unit(*issue, filled.thread, unit, since, cycle + 1);
  if (!filled.hands_over) return;
  filled_last_[file] = filled_[file][filled.bank] = chain;
}

void TilePath::banks_returned(const event::BanksReturned& returned, Cycle cycle) {
  const Issue* const issue = threads_[returned.thread].issues.at(returned.accepted);
  if (issue == nullptr) return;
  const Chain chain = in_unit(*issue, returned.thread, Occupancy::matrix, none, cycle + 1);
  for (unsigned bank = 0; bank < 4; ++bank)
    if ((returned.banks >> bank & 1U) != 0) returned_last_[bank / 2] = returned_[bank / 2][bank % 2] = chain;
}

/// All that the thread has done.
const Chain& TilePath::whole_thread(unsigned thread) const {
  const Chain* last = &threads_[thread].chain;
  for (const auto& unit : left_)
    if (unit[thread].until() > last->until()) last = &unit[thread];
  return *last;
}

}  // namespace tensim::insight
