#include "trace/perfetto_tile.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "isa/table.hpp"
#include "tensix/occupancy_names.hpp"
#include "tensix/units/sync/words.hpp"

namespace tensim::trace {

using namespace isa::literals;
using event::Stall;
using tensix::LatchedWait;
using tensix::Occupancy;
namespace sync_words = tensix::sync_words;

namespace {

// Which track is which, in the order in which they are shown.
constexpr std::size_t core_tracks = 0;  // two each: time, and exchanges
constexpr std::size_t thread_tracks =
    core_tracks + std::size_t{2} * tile::core_count;  // three each: pushes, words that wait, gate
constexpr std::size_t unit_tracks = thread_tracks + std::size_t{3} * tensix::thread_count;
constexpr std::size_t semaphore_tracks = unit_tracks + tensix::occupancy_count;
constexpr std::size_t src_tracks = semaphore_tracks + semaphore_count;
constexpr std::size_t race_track = src_tracks + 2;
constexpr std::size_t all_tracks = race_track + 1;
static_assert(all_tracks + 2 <= PerfettoTile::most_tracks);

constexpr std::size_t pushes_of(unsigned thread) {
  return thread_tracks + 3 * std::size_t{thread};
}
constexpr std::size_t gate_of(unsigned thread) {
  return pushes_of(thread) + 2;  // behind the count of words that wait
}

constexpr unsigned flow_bits = 40;  // of those that a tile has

}  // namespace

PerfettoTile::PerfettoTile(const PerfettoLimits& limits, std::uint32_t number, const tile::Tile& tile, bool is_on_chip)
    : Listener(event::wants_time | event::wants_causes),
      number_(number),
      arch_(tile.arch),
      is_on_chip_(is_on_chip),
      last_flow_(std::uint64_t{number} << flow_bits) {
  tracks_.reserve(all_tracks);
  const auto add = [&](std::string name, PerfettoTrack::Kind kind = PerfettoTrack::Kind::events) {
    tracks_.emplace_back(limits, number * most_tracks + static_cast<std::uint32_t>(tracks_.size()) + 1, std::move(name),
                         kind);
  };
  constexpr auto values = PerfettoTrack::Kind::values;
  for (unsigned core = 0; core < tile::core_count; ++core) {
    views_[core] = tile.devices.view_of(static_cast<tile::CoreId>(core));
    add(std::string(tile::name(views_[core])));
    add(fmt::format("{} exchanges", tile::name(views_[core])));
  }
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    add(fmt::format("T{} pushes", thread));
    add(fmt::format("T{} words waiting", thread), values);
    add(fmt::format("T{} gate", thread));
  }
  for (unsigned unit = 0; unit < tensix::occupancy_count; ++unit)
    add(std::string(tensix::name(static_cast<Occupancy>(unit))));
  for (const Symbol& semaphore : semaphore_index.symbols)
    add(fmt::format("semaphore {} ({})", semaphore.value, semaphore.name), values);
  for (const char file : {'A', 'B'})
    add(fmt::format("Src{} banks full", file), values);
  add("races");
  for (unsigned core = 0; core < tile::core_count; ++core)
    cores_.emplace_back(tracks_[core_tracks + 2 * std::size_t{core}], static_cast<std::uint8_t>(core));
  for (unsigned unit = 0; unit < tensix::occupancy_count; ++unit)
    units_.emplace_back(tracks_[unit_tracks + unit]);
  for (unsigned i = 0; i < semaphore_count; ++i)
    values_[i] = tile.coprocessor.sync.semaphores()[i].value;
  is_full_ = tile.coprocessor.src.matrix_owns;
}

void PerfettoTile::happened(const event::Event& event) {
  const Cycle cycle = event.cycle();
  struct Visitor {
    PerfettoTile& tile;
    Cycle cycle;
    void operator()(const event::Issued& what) const { tile.issued(what, cycle); }
    void operator()(const event::Held& what) const { tile.held(what, cycle); }
    void operator()(const event::WaitOver& what) const { tile.wait_is_over(what.thread); }
    void operator()(const event::Left& what) const { tile.left(what, cycle); }
    void operator()(const event::BankFilled& what) const { tile.bank_filled(what, cycle); }
    void operator()(const event::BanksReturned& what) const { tile.banks_returned(what, cycle); }
    void operator()(const event::ConfigWritten&) const {}
    void operator()(const event::SemaphoreStored& what) const { tile.semaphore_stored(what, cycle); }
    void operator()(const event::Stored& what) const { tile.stored(what, cycle); }
    void operator()(const event::Landed& what) const { tile.landed(what, cycle); }
    void operator()(const event::Loaded& what) const { tile.loaded(what, cycle); }
    void operator()(const event::Used&) const {}
    void operator()(const event::Updated&) const {}
    void operator()(const event::Fenced&) const {}
    void operator()(const event::Released& what) const {
      if (what.by < tile::core_count)
        tile.exchange(what.by, Exchange::lets_go, what.cores, tile.landed_pc_[what.by], cycle, {});
    }
    void operator()(const event::Touched&) const {}
    void operator()(const event::Moved&) const {}
  };
  std::visit(Visitor{*this, cycle}, event.what);
}

void PerfettoTile::passed(std::span<const event::CoreSpan> spans) {
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const event::CoreSpan& span = spans[i];
    if (span.kind != event::CoreSpan::Kind::rounds) {
      cores_[span.core].add(span);
      continue;
    }
    cores_[span.core].add_rounds(span.count, spans.subspan(i + 1, span.spans));
    i += span.spans;
  }
}

void PerfettoTile::note_race(Cycle cycle, const std::string& text) {
  PerfettoTrack& track = tracks_[race_track];
  track.instant(cycle, {.kind = Mark::Kind::text, .word = track.number_of(text)});
}

void PerfettoTile::finish(const tile::Tile& tile) {
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread)
    end_holds(thread, tile.now());
  for (unsigned core = 0; core < tile::core_count; ++core) {
    const riscv::Core& state = tile.cores[core];
    const bool is_in_reset = state.status == riscv::Core::Status::in_reset;
    cores_[core].finish(tile.now(), is_in_reset ? event::CoreStall::in_reset : state.waiting, state.pc);
  }
  for (PerfettoUnit& unit : units_)
    unit.finish();
}

/// The flow, if what began it came after `since`; whoever comes first has it.
std::uint64_t PerfettoTile::take(Cause& cause, Cycle since) {
  return cause.cycle < since ? 0 : std::exchange(cause.flow, 0);
}

// ---- gates ----

void PerfettoTile::issued(const event::Issued& issue, Cycle cycle) {
  Thread& thread = threads_[issue.thread];
  const bool is_from_brisc = issue.pusher != 0;
  const Mark mark{.kind = Mark::Kind::instruction,
                  .agent = issue.thread,
                  .is_from_brisc = is_from_brisc,
                  .origin = issue.origin,
                  .word = issue.word};
  if (!thread.holds.empty() && !(thread.at_gate == mark)) end_holds(issue.thread, thread.holds.back().until);
  thread.at_gate = mark;
  Flows flows{.ends = {std::exchange(thread.pushes[issue.pusher][issue.push % push_numbers], 0), 0}};
  flows.ends[1] = cause_of(issue.thread);
  flows.begins = synchronise(issue, cycle);
  write_gate(issue.thread, thread.holds.empty() ? cycle : thread.holds.front().from, cycle + 1, true, flows);
  constexpr std::size_t most_issues = 256;  // an UNPACR may stand in its queue for long
  Mark in_unit = mark;
  in_unit.kind = Mark::Kind::operation;
  thread.issues.push_back({cycle, in_unit});
  if (thread.issues.size() > most_issues) thread.issues.pop_front();
  thread.issued[issue.pusher] = static_cast<std::uint8_t>(issue.push + 1);
  count_waiting(issue.thread, cycle);
}

void PerfettoTile::held(const event::Held& hold, Cycle cycle) {
  Thread& thread = threads_[hold.thread];
  if (hold.stall == Stall::empty) return;
  Mark mark{.kind = Mark::Kind::instruction,
            .agent = hold.thread,
            .is_from_brisc = hold.pusher != 0,
            .origin = hold.origin,
            .word = hold.word};
  if (!thread.holds.empty() && !(thread.at_gate == mark)) end_holds(hold.thread, thread.holds.back().until);
  thread.at_gate = mark;
  if (!thread.holds.empty() && thread.holds.back().stall == hold.stall && thread.holds.back().until == cycle) {
    thread.holds.back().until += hold.count;
    return;
  }
  if (hold.stall == Stall::latched_wait) mark = thread.latch_mark;
  mark.kind = hold.stall == Stall::latched_wait ? Mark::Kind::latched : Mark::Kind::held;
  mark.reason = static_cast<std::uint8_t>(hold.stall);
  thread.holds.push_back({hold.stall, cycle, cycle + hold.count, mark});
}

/// An instruction that has not passed, up to `until`.
void PerfettoTile::end_holds(unsigned number, Cycle until) {
  Thread& thread = threads_[number];
  if (thread.holds.empty()) return;
  thread.holds.back().until = std::max(thread.holds.back().until, until);
  write_gate(number, thread.holds.front().from, thread.holds.back().until, false, {});
}

void PerfettoTile::write_gate(unsigned number, Cycle from, Cycle until, bool is_issued, const Flows& flows) {
  Thread& thread = threads_[number];
  PerfettoTrack& track = tracks_[gate_of(number)];
  if (thread.holds.empty()) return track.slice(from, until, thread.at_gate, flows);
  track.begin(from, until, thread.at_gate);
  for (const Hold& hold : thread.holds)
    track.slice(hold.from, hold.until, hold.mark);
  if (is_issued) {
    Mark mark = thread.at_gate;
    mark.kind = Mark::Kind::held;
    mark.reason = static_cast<std::uint8_t>(Stall::issued);
    track.slice(until - 1, until, mark, flows);
  }
  track.end(from, until);
  thread.holds.clear();
}

/// What the instruction that passes now has waited for: the last of it.
std::uint64_t PerfettoTile::cause_of(unsigned number) {
  Thread& thread = threads_[number];
  std::uint64_t flow = 0;
  for (const Hold& hold : thread.holds) {
    Cause* cause = nullptr;
    switch (hold.stall) {
      case Stall::latched_wait: cause = &thread.released; break;
      case Stall::mutex_held: cause = &mutexes_[sync_words::mutex.get(thread.at_gate.word) % mutexes_.size()]; break;
      case Stall::src_a_not_valid: cause = &filled_[0]; break;
      case Stall::src_b_not_valid: cause = &filled_[1]; break;
      default: continue;
    }
    if (const std::uint64_t taken = take(*cause, hold.from); taken != 0) flow = taken;
  }
  return flow;
}

// ---- who makes threads go on ----

/// The flow that the instruction begins, if others wait for such as it.
std::uint64_t PerfettoTile::synchronise(const event::Issued& issue, Cycle cycle) {
  const std::uint8_t opcode = isa::opcode_of(issue.word);
  switch (opcode) {
    case "SEMPOST"_op:
    case "SEMGET"_op:
    case "SEMINIT"_op: {
      const std::uint64_t flow = new_flow();
      for (unsigned left = sync_words::semaphore_mask_of(issue.word); left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        semaphores_[i] = {flow, cycle};
        const unsigned value = values_[i];
        set_semaphore(i,
                      opcode == "SEMINIT"_op   ? sync_words::init_value.get(issue.word)
                      : opcode == "SEMPOST"_op ? std::min(value + 1U, unsigned{tensix::SyncUnit::saturation})
                                               : value - (value == 0 ? 0U : 1U),
                      cycle);
      }
      return flow;
    }
    case "ATRELM"_op: {
      const std::uint64_t flow = new_flow();
      mutexes_[sync_words::mutex.get(issue.word) % mutexes_.size()] = {flow, cycle};
      return flow;
    }
    default: break;
  }
  if (!tensix::latches_wait(issue.word)) return 0;
  Thread& thread = threads_[issue.thread];
  thread.latch = tensix::latched_wait(arch_, {issue.word, 0});
  thread.latch_mark = thread.at_gate;
  thread.latched_in = cycle;
  thread.released = {};
  return 0;
}

void PerfettoTile::wait_is_over(unsigned number) {
  Thread& thread = threads_[number];
  if (thread.latch.kind != LatchedWait::Kind::semaphore) return;
  const unsigned mask = thread.latch.condition_mask | thread.latch.condition_mask >> tensix::at_maximum_shift;
  Cause* last = nullptr;
  for (unsigned i = 0; i < semaphores_.size(); ++i)
    if ((mask >> i & 1U) != 0 && (last == nullptr || semaphores_[i].cycle > last->cycle)) last = &semaphores_[i];
  if (last != nullptr && last->flow != 0 && last->cycle >= thread.latched_in)
    thread.released = {std::exchange(last->flow, 0), last->cycle};
}

/// What the next cycle sees.
void PerfettoTile::set_semaphore(unsigned semaphore, unsigned value, Cycle cycle) {
  PerfettoTrack& track = tracks_[semaphore_tracks + semaphore];
  if (track.is_empty()) track.value(0, values_[semaphore]);
  values_[semaphore] = value;
  track.value(cycle + 1, value);
}

// ---- units ----

const PerfettoTile::Issue* PerfettoTile::issue_at(unsigned thread, Cycle cycle) const {
  const auto& issues = threads_[thread].issues;
  const auto found = std::ranges::lower_bound(issues, cycle, {}, &Issue::cycle);
  return found == issues.end() || found->cycle != cycle ? nullptr : &*found;
}

void PerfettoTile::left(const event::Left& left, Cycle cycle) {
  const Issue* const issue = issue_at(left.thread, left.accepted);
  PerfettoUnit::Operation operation{.first = left.accepted, .last = cycle};
  if (issue != nullptr) operation.mark = issue->mark;
  Waiting& waiting = waiting_[left.unit];
  if (waiting.accepted == left.accepted && waiting.thread == left.thread) {
    operation.flows = waiting.flows;
    operation.woken = waiting.woken;
    if (left.unit == static_cast<std::uint8_t>(Occupancy::unpacker0)) filled_[0] = {operation.flows.begins, cycle};
    if (left.unit == static_cast<std::uint8_t>(Occupancy::unpacker1)) filled_[1] = {operation.flows.begins, cycle};
    bool is_first = true;
    for (unsigned bank = 0; bank < 4; ++bank)
      if ((waiting.banks >> bank & 1U) != 0)
        returned_[bank / 2][bank % 2] = {
            std::exchange(is_first, false) ? operation.flows.begins : operation.flows.passes, cycle};
    waiting = {};
  }
  if (issue == nullptr) {
    PerfettoTrack& track = tracks_[unit_tracks + left.unit];
    operation.mark = {.kind = Mark::Kind::text, .word = track.number_of("an operation")};
  }
  units_[left.unit].add(operation);
}

/// Told before the unpacker's Left of the same cycle; of SETDVALID, which no unpacker executes, by itself.
void PerfettoTile::bank_filled(const event::BankFilled& filled, Cycle cycle) {
  if (filled.hands_over) set_bank(filled.unpacker, filled.bank, true, cycle);
  if (issue_at(filled.thread, filled.accepted) == nullptr) return;
  const auto unit = static_cast<std::size_t>(filled.unpacker == 0 ? Occupancy::unpacker0 : Occupancy::unpacker1);
  Flows flows;
  Cause& cause = returned_[filled.unpacker][filled.bank];
  if (filled.waited) flows.ends[0] = take(cause, filled.accepted);
  if (filled.hands_over) flows.begins = new_flow();
  waiting_[unit] = {filled.thread, filled.accepted, flows, 0, flows.ends[0] == 0 ? 0 : cause.cycle + 1};
}

/// Told before the Matrix Unit's Left of the same cycle.
void PerfettoTile::banks_returned(const event::BanksReturned& returned, Cycle cycle) {
  for (unsigned bank = 0; bank < 4; ++bank)
    if ((returned.banks >> bank & 1U) != 0) set_bank(bank / 2, bank % 2, false, cycle);
  if (std::popcount(returned.banks) > 2) return;
  Flows flows{.begins = new_flow()};
  if (std::popcount(returned.banks) == 2) flows.passes = new_flow();
  waiting_[static_cast<std::size_t>(Occupancy::matrix)] = {returned.thread, returned.accepted, flows, returned.banks,
                                                           0};
}

void PerfettoTile::set_bank(unsigned file, unsigned bank, bool is_full, Cycle cycle) {
  PerfettoTrack& track = tracks_[src_tracks + file];
  if (track.is_empty()) track.value(0, is_full_[file][0] + is_full_[file][1]);
  is_full_[file][bank] = is_full;
  track.value(cycle + 1, is_full_[file][0] + is_full_[file][1]);
}

}  // namespace tensim::trace
