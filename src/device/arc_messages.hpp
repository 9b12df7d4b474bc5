// Messages that host software sends to the ARC tile's firmware, and the telemetry it finds there, as tables. Numbers: tt-umd,
// arch/wormhole_implementation.hpp, arch/blackhole_implementation.hpp, types/blackhole_arc.hpp, types/telemetry.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "arch/arch.hpp"
#include "noc/floor_plan.hpp"

namespace tensim::device {

enum class ArcAnswer : std::uint8_t {
  nothing,
  aiclk,             // in MHz
  next_number,       // of the argument
  tensix_off,        // rows or columns, a bit each in the order of the die
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

/// An entry of the telemetry table. The card is made up (*assumed*); what of it is off the floor plan says.
struct Telemetry {
  std::uint16_t tag;
  std::uint32_t value;
};
std::vector<Telemetry> telemetry(const noc::FloorPlan& plan);

inline constexpr std::uint16_t aiclk_tag = 14;
inline constexpr std::uint32_t firmware_bundle = 0x120C'0000;  // 18.12.0

}  // namespace tensim::device
