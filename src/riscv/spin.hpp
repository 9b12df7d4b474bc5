// A core that goes round a loop in which nothing changes is asleep: its registers, caches and relative timing recur, and
// every load returns what it did a round before. It need not be executed until something it loads has changed; then it is
// put back to the start of the round that the change falls into, and the loads of that round that came before the change
// are answered from the record (docs/architecture/tile.md). Rounds are found by Brent's method: a snapshot at a backward
// jump, compared at every later arrival, taken anew after 1, 2, 4, ... arrivals.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "event/happening.hpp"
#include "riscv/account.hpp"
#include "riscv/l0_cache.hpp"
#include "riscv/load_queue.hpp"
#include "time/order.hpp"

namespace tensim::riscv {

/// All that decides how a core goes on from the head of a loop.
struct LoopState {
  std::array<std::uint32_t, 32> x{};
  std::array<std::uint32_t, 32> f{};
  std::array<Cycle, 4> slots{};                            // of loads under way, relative to the clock
  std::array<Cycle, 64> ready{};                           // of registers, likewise
  std::array<std::uint64_t, LoadQueue::capacity> loads{};  // since when, in instructions, each load waits to retire
  std::array<Cycle, LoadQueue::capacity> load_ready{};
  Cycle loads_back = 0;
  L0Cache l0;
  std::uint32_t fills = 0;  // of the instruction cache
  std::uint64_t unused =
      0;  // of an observed core: else a round that uses a register loaded before it would stand for all

  bool operator==(const LoopState&) const = default;
};

struct RecordedLoad {
  std::uint32_t address = 0;
  std::uint32_t value = 0;
  std::uint8_t size_bytes = 4;  // 16: a line of the L0 data cache was filled
  bool is_l1 = true;
  std::uint32_t offset = 0;  // cycles from the head of the loop
  L0Cache::Line line{};

  bool is_line() const { return size_bytes == L0Cache::line_bytes; }
  std::uint32_t line_address() const { return address & ~(L0Cache::line_bytes - 1); }
};

struct LoopRecord {
  static constexpr unsigned capacity = 32;
  std::array<RecordedLoad, capacity> loads{};
  std::uint8_t count = 0;
  bool overflowed = false;

  void add(const RecordedLoad& load) {
    if (count == capacity)
      overflowed = true;
    else
      loads[count++] = load;
  }
  void clear() {
    count = 0;
    overflowed = false;
  }
};

/// What a round takes.
struct Lap {
  Cycle cycles = 0;
  std::uint64_t retired = 0;
  CoreAccount account;
};

struct SpinWatch {
  // ---- looking for a loop ----
  std::uint32_t countdown = first_look;  // backward jumps until the next look
  std::uint32_t interval = first_look;
  bool is_looking = false;
  bool is_dirty = false;  // something happened that does not recur: a store, an atomic, a clock that was read
  std::uint32_t head = 0;
  std::uint32_t arrivals = 0;
  std::uint32_t next_snapshot = 0;
  LoopState state;
  Cycle at = 0;  // when the snapshot was taken
  std::uint64_t retired_at = 0;
  CoreAccount account_at;
  LoopRecord record;                        // of the loads since
  std::vector<event::CoreSpan> spans = {};  // where the time since has gone; kept if that is wanted

  // ---- asleep, or just woken ----
  Cycle since = 0;  // a cycle in which the core was at the head
  Lap lap;
  Cycle replay_until = 0;  // loads up to this cycle are answered from the record
  std::uint8_t replay_next = 0;
  bool is_replaying = false;

  /// Whether the loop, asleep since before `cycle`, loads from L1 in that cycle.
  bool loads_in(Cycle cycle) const {
    const Cycle phase = (cycle - since) % lap.cycles;
    for (unsigned i = 0; i < record.count; ++i)
      if (record.loads[i].is_l1 && record.loads[i].offset == phase) return true;
    return false;
  }

  static constexpr std::size_t most_spans = 4096;  // a round with more is none
  void add(const event::CoreSpan& span) {
    if (spans.size() == most_spans)
      is_dirty = true;
    else
      spans.push_back(span);
  }

  static constexpr std::uint32_t first_look = 32;
  static constexpr std::uint32_t most_arrivals = 600;  // a cache that flushes itself recurs after 128 hits
  static constexpr std::uint32_t longest_interval = 1U << 16U;

  void give_up() {
    is_looking = false;
    interval = interval >= longest_interval ? longest_interval : interval * 2;
    countdown = interval;
  }
  void start_over() {
    is_looking = false;
    interval = countdown = first_look;
  }
};

}  // namespace tensim::riscv
