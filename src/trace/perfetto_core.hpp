// Where the time of a core went, as slices of its track: runs of instructions, and waits. Rounds of a loop that are the same
// become one slice. Which ones do is decided by what the core did alone, not by what it was told of: the slices are the same
// whether every round was told or most of them were left out (event::CoreSpan).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "event/happening.hpp"
#include "trace/perfetto_track.hpp"

namespace tensim::trace {

class PerfettoCore {
 public:
  PerfettoCore(PerfettoTrack& track, std::uint8_t core) : track_(track), core_(core) {}

  /// In order of time: its cycles one behind another.
  void add(const event::CoreSpan& span);
  /// `count` rounds, each as these.
  void add_rounds(std::uint64_t count, std::span<const event::CoreSpan> round);
  /// The run ends in `cycle`, and the core has been at `pc` since it was told of last, for this reason.
  void finish(time::Cycle cycle, event::CoreStall stall, std::uint32_t pc);

 private:
  struct Piece {
    event::CoreSpan::Kind kind = event::CoreSpan::Kind::executed;
    event::CoreStall stall = event::CoreStall::none;
    std::uint32_t pc = 0;
    std::uint64_t count = 0;
    bool operator==(const Piece&) const = default;
  };
  /// From where the core has jumped back to, up to where it jumps back the next time.
  struct Segment {
    std::vector<Piece> pieces = {};
    std::uint64_t cycles = 0;
    std::uint64_t hash = 0;
    bool operator==(const Segment&) const = default;
  };
  static constexpr std::size_t most_pieces = 256;
  static constexpr std::size_t longest_period = 16;  // segments of a round
  static constexpr std::size_t kept_count = longest_period;
  static constexpr std::uint64_t fewest_rounds = 4;  // that become one slice

  void begin(time::Cycle from);
  void take(const event::CoreSpan& span);
  void cut(time::Cycle cycle);
  void put(const event::CoreSpan& span);
  void close();
  void take(Segment& segment);
  void leave_loop();
  void keep(Segment& segment);
  void write(const Segment& segment);
  void slice(time::Cycle until, const Mark& mark);
  const Segment& before(std::size_t count) const { return kept_[(kept_end_ - count) % kept_count]; }

  PerfettoTrack& track_;
  std::uint8_t core_;
  event::CoreSpan last_;  // that was executed, and has not been put anywhere
  Segment open_;
  bool has_begun_ = false;
  time::Cycle end_ = time::never;  // of the run
  time::Cycle told_ = 0;           // up to here
  std::uint32_t last_pc_ = 0;      // that was executed
  std::array<Segment, kept_count> kept_;
  std::size_t kept_end_ = 0;   // all that there have been
  std::size_t period_ = 0;     // of the loop that it may be in; 0: none
  std::uint64_t matched_ = 0;  // segments that are as those a period before
  time::Cycle written_ = 0;    // up to here
  std::uint64_t closed_ = 0;   // segments, for add_rounds()
};

}  // namespace tensim::trace
