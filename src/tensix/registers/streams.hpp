// What the coprocessor sees of the NoC overlay (Blackhole): each stream's phase and how many messages it has received.
// STREAMWAIT waits for them. The overlay itself is not modelled: nobody changes them during a run.
#pragma once

#include <array>
#include <cstdint>

namespace tensim::tensix {

inline constexpr unsigned stream_count = 64;

struct StreamCounts {
  std::uint32_t phase = 0;
  std::uint32_t messages = 0;
};
using Streams = std::array<StreamCounts, stream_count>;

}  // namespace tensim::tensix
