// One total order for everything that agents of a tile do to each other. In a cycle, loads come first, then the
// coprocessor takes its step, then stores land; within a phase the agent with the lower number goes first. Whatever order
// the host computes in, results are those of this order (docs/architecture/tile.md).
#pragma once

#include <cstdint>
#include <limits>

namespace tensim::time {

using Cycle = std::uint64_t;
inline constexpr Cycle never = std::numeric_limits<Cycle>::max();

enum class Phase : std::uint8_t { load, step, store };

/// The agents of a tile by number: its five cores, and behind them
inline constexpr unsigned coprocessor_agent = 5;

/// A place in the order.
using Key = std::uint64_t;
inline constexpr Key no_key = std::numeric_limits<Key>::max();

constexpr Key key(Cycle cycle, Phase phase, unsigned agent) {
  return cycle == never ? no_key : (cycle << 5U) | Key{static_cast<unsigned>(phase)} << 3U | agent;
}
constexpr Cycle cycle_of(Key key) {
  return key == no_key ? never : key >> 5U;
}

constexpr Phase phase_of(Key key) {
  return static_cast<Phase>(key >> 3U & 3U);
}

constexpr unsigned agent_of(Key key) {
  return static_cast<unsigned>(key & 7U);
}

}  // namespace tensim::time
