// Messages that host software sends to the ARC tile's firmware, and the telemetry it finds there, as tables. Numbers: tt-umd,
// arch/wormhole_implementation.hpp, arch/blackhole_implementation.hpp, types/blackhole_arc.hpp, types/telemetry.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "arch/arch.hpp"

namespace tensim::device {

enum class ArcAnswer : std::uint8_t {
  nothing,
  aiclk,             // in MHz
  next_number,       // of the argument
  nothing_missing,   // no row or column
  training_is_over,  // of DRAM
  legacy_telemetry,  // its address on the crossbar
};

enum class ArcClock : std::uint8_t { same, busy, idle };

struct ArcMessage {
  std::uint8_t code;
  ArcAnswer answer;
  ArcClock clock = ArcClock::same;  // what becomes of AICLK, at once
};
const ArcMessage* arc_message(std::uint8_t code);

struct ArcReply {
  bool is_known;
  std::uint32_t value;
};

/// Frequencies in MHz.
struct ArcClocks {
  std::uint32_t busy;
  std::uint32_t idle;
};
const ArcClocks& arc_clocks(Arch arch);

/// An entry of the telemetry table. The card is made up (*assumed*), and nothing of it is missing.
struct Telemetry {
  std::uint16_t tag;
  std::uint32_t value;
};
std::span<const Telemetry> telemetry(Arch arch);

inline constexpr std::uint16_t aiclk_tag = 14;
inline constexpr std::uint32_t firmware_bundle = 0x120C'0000;  // 18.12.0

}  // namespace tensim::device
