// The NoC overlay as software uses it: counters of circular buffers, credits and scratch words in the registers of its
// streams, which cores, STOREREG, LOADREG and the NoC reach, and the two counts for which STREAMWAIT (Blackhole) waits. That
// streams move data by themselves is not modelled: what only that would need is no register here, unless a scenario sets it
// (noc 9).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "arch/arch.hpp"
#include "arch/fixed_list.hpp"
#include "arch/sizes.hpp"

namespace tensim::tensix {

inline constexpr unsigned stream_count = size_of_both("overlay_streams"_size);

struct StreamRegister {
  std::uint16_t index = 0;
  std::uint32_t value = 0;
};

struct StreamCounts {
  static constexpr std::size_t most_registers = 4;
  std::uint32_t phase = 0;
  std::uint32_t messages = 0;
  std::uint32_t remote_source = 0;
  std::uint32_t buffer_start = 0;     // tt-metal: tiles that have been popped from the circular buffer of this number
  std::uint32_t buffer_size = 0;      // tt-metal: tiles that have been pushed to it
  std::uint32_t space_available = 0;  // credits of fast dispatch
  std::uint32_t phase_pointer = 0;    // tt-metal: a scratch word
  FixedList<StreamRegister, most_registers> registers{};
};
using Streams = std::array<StreamCounts, stream_count>;

/// A register of a stream; indices as in noc_overlay_parameters.h of tt-metal, widths and side effects as in noc 9.
struct StreamRegisterRow {
  enum class Store : std::uint8_t { plain, loads_space, adds_to_space };
  std::string_view name;
  std::uint16_t wormhole;
  std::uint16_t blackhole;
  std::uint8_t bits;
  std::uint32_t StreamCounts::* value;
  Store store = Store::plain;
  constexpr unsigned on(Arch arch) const { return tensim::on(arch, wormhole, blackhole); }
};
inline constexpr std::array stream_register_rows{
    StreamRegisterRow{"REMOTE_SRC", 0, 4, 24, &StreamCounts::remote_source},
    StreamRegisterRow{"REMOTE_DEST_BUF_START", 3, 8, 17, &StreamCounts::buffer_start},
    StreamRegisterRow{"REMOTE_DEST_BUF_SIZE", 4, 10, 17, &StreamCounts::buffer_size,
                      StreamRegisterRow::Store::loads_space},
    StreamRegisterRow{"CURR_PHASE", 11, 29, 32, &StreamCounts::phase},
    StreamRegisterRow{"PHASE_AUTO_CFG_PTR", 12, 31, 32, &StreamCounts::phase_pointer},
    StreamRegisterRow{"NUM_MSGS_RECEIVED", 18, 259, 32, &StreamCounts::messages},
    StreamRegisterRow{"REMOTE_DEST_BUF_SPACE_AVAILABLE", 64, 297, 17, &StreamCounts::space_available},
    StreamRegisterRow{"REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE", 34, 270, 17, &StreamCounts::space_available,
                      StreamRegisterRow::Store::adds_to_space},
};

/// Null if it is none that software uses.
constexpr const StreamRegisterRow* stream_register_row(Arch arch, unsigned index) {
  for (const StreamRegisterRow& row : stream_register_rows)
    if (row.on(arch) == index) return &row;
  return nullptr;
}

/// Nothing if the stream does not exist, or nobody has said what the register holds.
constexpr std::optional<std::uint32_t> stream_register(Arch arch, const Streams& streams, unsigned stream,
                                                       unsigned index) {
  if (stream >= stream_count) return std::nullopt;
  for (const StreamRegister& known : streams[stream].registers)
    if (known.index == index) return known.value;
  const StreamRegisterRow* row = stream_register_row(arch, index);
  if (row == nullptr) return std::nullopt;
  return row->store == StreamRegisterRow::Store::adds_to_space ? 0 : streams[stream].*row->value;
}

/// False if there is no such register.
constexpr bool store_stream_register(Arch arch, Streams& streams, unsigned stream, unsigned index,
                                     std::uint32_t value) {
  const StreamRegisterRow* row = stream_register_row(arch, index);
  if (stream >= stream_count || row == nullptr) return false;
  StreamCounts& counts = streams[stream];
  const auto narrow = [&](std::uint32_t wide) { return row->bits == 32 ? wide : wide & ((1U << row->bits) - 1); };
  constexpr unsigned increment_at = 6;  // below it, which destination
  if (row->store == StreamRegisterRow::Store::adds_to_space)
    counts.space_available = narrow(counts.space_available + (value >> increment_at));
  else
    counts.*row->value = narrow(value);
  if (row->store == StreamRegisterRow::Store::loads_space) counts.space_available = counts.buffer_size;
  return true;
}

}  // namespace tensim::tensix
