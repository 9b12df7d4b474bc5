#include "device/arc_messages.hpp"

#include <algorithm>
#include <array>

#include "arch/sizes.hpp"

namespace tensim::device {
namespace {

// Those that change nothing that is modelled are answered with "done".
constexpr std::array messages{
    ArcMessage{.code = 0x11, .answer = ArcAnswer::nothing},                           // NOP
    ArcMessage{.code = 0x2C, .answer = ArcAnswer::legacy_telemetry},                  // GET_SMBUS_TELEMETRY_ADDR
    ArcMessage{.code = 0x34, .answer = ArcAnswer::aiclk},                             // GET_AICLK
    ArcMessage{.code = 0x52, .answer = ArcAnswer::nothing, .clock = ArcClock::busy},  // ARC_GO_BUSY
    ArcMessage{.code = 0x54, .answer = ArcAnswer::nothing, .clock = ArcClock::idle},  // ARC_GO_LONG_IDLE
    ArcMessage{.code = 0x57, .answer = ArcAnswer::nothing_missing},                   // ARC_GET_HARVESTING
    ArcMessage{.code = 0x58, .answer = ArcAnswer::training_is_over},                  // SET_ETH_DRAM_TRAINED_STATUS
    ArcMessage{.code = 0x90, .answer = ArcAnswer::next_number},                       // TEST
    ArcMessage{.code = 0xBA, .answer = ArcAnswer::nothing},                           // DEASSERT_RISCV_RESET
};

constexpr std::uint32_t full_clock(Arch arch) {
  return static_cast<std::uint32_t>(size(arch, "clock_mhz"_size));
}

constexpr ArcClocks wormhole_clocks{.busy = full_clock(Arch::wormhole), .idle = 500};
constexpr ArcClocks blackhole_clocks{.busy = full_clock(Arch::blackhole), .idle = 800};

constexpr std::uint32_t degrees(std::uint32_t celsius) {
  return celsius << 16U;  // 16.16
}

/// Two bits per memory: 1 is trained.
constexpr std::uint32_t trained(unsigned memories) {
  return 0x5555'5555U & ((1U << 2 * memories) - 1);
}

// The upper 20 of 56 bits of a board's number are its kind.
constexpr std::uint32_t board_high(std::uint32_t kind) {
  return kind << 4U;
}
constexpr std::uint32_t n150 = 0x18;
constexpr std::uint32_t p150 = 0x40;

constexpr std::array wormhole_telemetry{
    Telemetry{1, board_high(n150)},
    Telemetry{2, 1},             // board, lower half
    Telemetry{3, 1},             // ASIC_ID
    Telemetry{4, 0},             // HARVESTING_STATE
    Telemetry{11, degrees(40)},  // ASIC
    Telemetry{13, degrees(35)},  // board
    Telemetry{aiclk_tag, 0},     // as the last message left it
    Telemetry{15, 900},          // AXICLK
    Telemetry{16, 540},          // ARCCLK
    Telemetry{21, 0},            // ETH_LIVE_STATUS: no link
    Telemetry{22, trained(6)},   // GDDR_STATUS
    Telemetry{28, firmware_bundle},
    Telemetry{32, 1},                           // TIMER_HEARTBEAT
    Telemetry{40, 1},                           // NOC_TRANSLATION
    Telemetry{52, 0},                           // ASIC_LOCATION
    Telemetry{63, full_clock(Arch::wormhole)},  // AICLK_LIMIT_MAX
};

constexpr std::array blackhole_telemetry{
    Telemetry{1, board_high(p150)},
    Telemetry{2, 1},
    Telemetry{3, 1},
    Telemetry{4, 0},
    Telemetry{11, degrees(40)},
    Telemetry{13, degrees(35)},
    Telemetry{aiclk_tag, 0},
    Telemetry{15, 900},
    Telemetry{16, 540},
    Telemetry{21, 0},
    Telemetry{22, trained(8)},
    Telemetry{28, firmware_bundle},
    Telemetry{32, 1},
    Telemetry{34, 0x3FFF},  // ENABLED_TENSIX_COL
    Telemetry{35, 0x3EDF},  // ENABLED_ETH: the twelve that have translated coordinates
    Telemetry{36, 0xFF},    // ENABLED_GDDR
    Telemetry{38, 1},       // PCIE_USAGE: the first is the endpoint
    Telemetry{40, 1},
    Telemetry{52, 0},
    Telemetry{61, 0},  // ASIC_ID_HIGH
    Telemetry{62, 1},  // ASIC_ID_LOW
    Telemetry{63, full_clock(Arch::blackhole)},
};

}  // namespace

const ArcMessage* arc_message(std::uint8_t code) {
  const auto* const found = std::ranges::find(messages, code, &ArcMessage::code);
  return found == messages.end() ? nullptr : found;
}

const ArcClocks& arc_clocks(Arch arch) {
  return *on(arch, &wormhole_clocks, &blackhole_clocks);
}

std::span<const Telemetry> telemetry(Arch arch) {
  return on<std::span<const Telemetry>>(arch, wormhole_telemetry, blackhole_telemetry);
}

}  // namespace tensim::device
