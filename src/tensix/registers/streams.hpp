// What the coprocessor sees of the NoC overlay: each stream's phase and how many messages it has received, for which
// STREAMWAIT (Blackhole) waits, and whatever registers of it STREAMWRCFG or LOADREG read. The overlay itself is not
// modelled: a scenario sets them, and nobody changes them during a run.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "arch/fixed_list.hpp"
#include "arch/sizes.hpp"

namespace tensim::tensix {

inline constexpr unsigned stream_count = size_of_both("overlay_streams"_size);

/// STREAM_CURR_PHASE_REG_INDEX and STREAM_NUM_MSGS_RECEIVED_REG_INDEX (tt-metal noc_overlay_parameters.h).
inline constexpr unsigned stream_phase_register = 29;
inline constexpr unsigned stream_messages_register = 259;

struct StreamRegister {
  std::uint16_t index = 0;
  std::uint32_t value = 0;
};

struct StreamCounts {
  static constexpr std::size_t most_registers = 4;
  std::uint32_t phase = 0;
  std::uint32_t messages = 0;
  FixedList<StreamRegister, most_registers> registers{};
};
using Streams = std::array<StreamCounts, stream_count>;

/// Nothing if the stream does not exist, or nobody has said what the register holds.
constexpr std::optional<std::uint32_t> stream_register(const Streams& streams, unsigned stream, unsigned index) {
  if (stream >= stream_count) return std::nullopt;
  if (index == stream_phase_register) return streams[stream].phase;
  if (index == stream_messages_register) return streams[stream].messages;
  for (const StreamRegister& known : streams[stream].registers)
    if (known.index == index) return known.value;
  return std::nullopt;
}

}  // namespace tensim::tensix
