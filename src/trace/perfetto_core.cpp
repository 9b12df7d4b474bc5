#include "trace/perfetto_core.hpp"

#include <algorithm>
#include <utility>

namespace tensim::trace {

using event::CoreSpan;
using event::CoreStall;
using time::Cycle;

namespace {

/// It stands before the instruction that waits; the others stand behind the one that makes others wait.
bool is_before_instruction(CoreStall stall) {
  switch (stall) {
    case CoreStall::operand:
    case CoreStall::load_slots:
    case CoreStall::retire_queue:
    case CoreStall::store_queue:
    case CoreStall::divide:
    case CoreStall::barrier: return true;
    default: return false;
  }
}

}  // namespace

void PerfettoCore::add(const CoreSpan& span) {
  begin(span.from);
  take(span);
}

void PerfettoCore::begin(Cycle from) {
  if (!has_begun_) written_ = told_ = from;
  has_begun_ = true;
  if (from < told_) cut(from);
}

/// A wait that belongs to an instruction may be told behind it, too: it is put before it.
void PerfettoCore::take(const CoreSpan& span) {
  told_ += span.count;
  if (span.kind == CoreSpan::Kind::executed) {
    if (last_.count != 0) put(last_);
    last_ = span;
    return;
  }
  const auto last_pc = last_.pc + static_cast<std::uint32_t>(4 * (last_.count - 1));
  if (last_.count != 0 && last_pc == span.pc && is_before_instruction(span.stall)) {
    CoreSpan before = last_;
    --before.count;
    if (before.count != 0) put(before);
    put(span);
    last_.pc = last_pc;
    last_.count = 1;
    return;
  }
  if (last_.count != 0) put(std::exchange(last_, {}));
  put(span);
}

void PerfettoCore::put(const CoreSpan& span) {
  const bool is_executed = span.kind == CoreSpan::Kind::executed;
  if (is_executed && !open_.pieces.empty() && span.pc <= last_pc_) close();
  if (is_executed) last_pc_ = span.pc + static_cast<std::uint32_t>(4 * (span.count - 1));
  open_.cycles += span.count;
  if (!open_.pieces.empty()) {
    Piece& last = open_.pieces.back();
    const std::uint32_t next = is_executed ? last.pc + static_cast<std::uint32_t>(4 * last.count) : last.pc;
    if (last.kind == span.kind && last.stall == span.stall && next == span.pc) {
      last.count += span.count;
      return;
    }
  }
  if (open_.pieces.size() == most_pieces) {
    open_.cycles -= span.count;
    close();
    open_.cycles = span.count;
  }
  open_.pieces.push_back({span.kind, span.stall, span.pc, span.count});
}

/// The rest of them is only counted once it is sure that they go on as the loop does which the core is in: what has two periods, for
/// as long as both together, has the one that divides both; and all that is kept is of the loop by then.
void PerfettoCore::add_rounds(std::uint64_t count, std::span<const CoreSpan> round) {
  std::uint64_t cycles = 0;
  for (const CoreSpan& span : round)
    cycles += span.count;
  if (!round.empty()) begin(round.front().from);
  const std::uint64_t closed_at_first = closed_;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t closed_before = closed_;
    for (const CoreSpan& span : round)
      take(span);
    const std::uint64_t closed = closed_ - closed_before;
    if (period_ == 0 || matched_ < kept_count + period_ + closed || closed_ - closed_at_first < period_ + closed)
      continue;
    matched_ += (count - i - 1) * closed;
    told_ += (count - i - 1) * cycles;
    return;
  }
}

void PerfettoCore::close() {
  ++closed_;
  std::uint64_t hash = open_.cycles;
  for (const Piece& piece : open_.pieces)
    hash = (hash ^ piece.pc ^ piece.count << 20U ^ static_cast<std::uint64_t>(piece.stall) << 40U) *
           0x9E37'79B9'7F4A'7C15U;
  open_.hash = hash;
  Segment segment = std::exchange(open_, {});
  take(segment);
}

void PerfettoCore::take(Segment& segment) {
  if (period_ != 0) {
    if (before(period_) == segment) {
      ++matched_;
      return keep(segment);
    }
    leave_loop();
  }
  for (std::size_t period = 1; period <= longest_period && period <= kept_end_; ++period)
    if (before(period) == segment) {
      period_ = period;
      matched_ = 1;
      return keep(segment);
    }
  write(segment);
  keep(segment);
}

void PerfettoCore::keep(Segment& segment) {
  std::swap(kept_[kept_end_ % kept_count], segment);
  ++kept_end_;
}

void PerfettoCore::slice(Cycle until, const Mark& mark) {
  if (written_ < end_) track_.slice(written_, std::min(until, end_), mark);
  written_ = until;
}

void PerfettoCore::write(const Segment& segment) {
  for (const Piece& piece : segment.pieces) {
    const bool is_executed = piece.kind == CoreSpan::Kind::executed;
    slice(written_ + piece.count, {.kind = is_executed ? Mark::Kind::executed : Mark::Kind::core_held,
                                   .reason = static_cast<std::uint8_t>(piece.stall),
                                   .agent = core_,
                                   .origin = piece.pc});
  }
}

/// What has been matched and not written: whole rounds as one slice, if there are enough of them, and what is left as it is.
void PerfettoCore::leave_loop() {
  // Not all of them are kept, but as many as a round has.
  const auto matched = [&](std::uint64_t from_end) -> const Segment& { return before((from_end - 1) % period_ + 1); };
  const std::uint64_t rounds = matched_ / period_;
  std::uint64_t left = matched_;
  if (rounds >= fewest_rounds) {
    std::uint64_t cycles = 0;
    for (std::size_t i = 1; i <= period_; ++i)
      cycles += before(i).cycles;
    slice(written_ + rounds * cycles, {.kind = Mark::Kind::rounds,
                                       .agent = core_,
                                       .origin = matched(matched_).pieces.front().pc,
                                       .word = static_cast<std::uint32_t>(rounds)});
    left = matched_ % period_;
  }
  for (; left != 0; --left)
    write(matched(left));
  period_ = 0;
  matched_ = 0;
}

/// What an instruction makes others wait for is told with it: it may be longer than the run, or than the core was left alone.
void PerfettoCore::cut(Cycle cycle) {
  if (last_.count != 0) put(std::exchange(last_, {}));
  while (told_ > cycle && !open_.pieces.empty()) {
    Piece& last = open_.pieces.back();
    const std::uint64_t taken = std::min(told_ - cycle, last.count);
    last.count -= taken;
    open_.cycles -= taken;
    told_ -= taken;
    if (last.count == 0) open_.pieces.pop_back();
  }
}

void PerfettoCore::finish(Cycle cycle, CoreStall stall, std::uint32_t pc) {
  cut(cycle);
  end_ = cycle;
  if (!open_.pieces.empty()) close();
  if (period_ != 0) leave_loop();
  if (!has_begun_ || written_ >= cycle) return;
  track_.slice(written_, cycle,
               {.kind = stall == CoreStall::none ? Mark::Kind::executed : Mark::Kind::core_held,
                .reason = static_cast<std::uint8_t>(stall),
                .agent = core_,
                .origin = pc});
}

}  // namespace tensim::trace
