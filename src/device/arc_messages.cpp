#include "device/arc_messages.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "arch/sizes.hpp"

namespace tensim::device {
namespace {

using noc::FloorPlan;

// Those that change nothing that is modelled are answered with "done".
constexpr std::array messages{
    ArcMessage{.code = 0x11, .answer = ArcAnswer::nothing},                           // NOP
    ArcMessage{.code = 0x2C, .answer = ArcAnswer::legacy_telemetry},                  // GET_SMBUS_TELEMETRY_ADDR
    ArcMessage{.code = 0x34, .answer = ArcAnswer::aiclk},                             // GET_AICLK
    ArcMessage{.code = 0x52, .answer = ArcAnswer::nothing, .clock = ArcClock::busy},  // ARC_GO_BUSY
    ArcMessage{.code = 0x54, .answer = ArcAnswer::nothing, .clock = ArcClock::idle},  // ARC_GO_LONG_IDLE
    ArcMessage{.code = 0x57, .answer = ArcAnswer::tensix_off},                        // ARC_GET_HARVESTING
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

// ---- what the floor plan says ----

/// Two bits per memory: 1 is trained.
std::uint32_t trained(const FloorPlan& plan) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < plan.bank_count(); ++i)
    if ((plan.off().dram >> i & 1U) == 0) result |= 1U << 2 * i;
  return result;
}

std::uint32_t tensix_off(const FloorPlan& plan) {
  return plan.tensix_off_on_die();
}

std::uint32_t tensix_columns(const FloorPlan& plan) {
  return ((1U << noc::die_order(plan.arch()).size()) - 1) & ~plan.tensix_off_on_die();
}

std::uint32_t ethernet(const FloorPlan& plan) {
  return plan.named_ethernet() & ~plan.off().ethernet;
}

std::uint32_t memories(const FloorPlan& plan) {
  return ((1U << plan.bank_count()) - 1) & ~plan.off().dram;
}

/// Two bits per PCIe tile: 1 is an endpoint.
std::uint32_t pcie_usage(const FloorPlan& plan) {
  constexpr std::uint32_t first_pcie = 2;  // its x
  return plan.pcie().x == first_pcie ? 0b0001 : 0b0100;
}

struct Row {
  std::uint16_t tag;
  std::uint32_t value = 0;
  std::uint32_t (*of)(const FloorPlan& plan) = nullptr;  // instead
};

// The upper 20 of 56 bits of a board's number are its kind.
constexpr std::uint32_t board_high(std::uint32_t kind) {
  return kind << 4U;
}
constexpr std::uint32_t n150 = 0x18;
constexpr std::uint32_t p150 = 0x40;

constexpr std::array wormhole_telemetry{
    Row{1, board_high(n150)},
    Row{2, 1},              // board, lower half
    Row{3, 1},              // ASIC_ID
    Row{4, 0, tensix_off},  // HARVESTING_STATE
    Row{11, degrees(40)},   // ASIC
    Row{13, degrees(35)},   // board
    Row{aiclk_tag, 0},      // as the last message left it
    Row{15, 900},           // AXICLK
    Row{16, 540},           // ARCCLK
    Row{21, 0},             // ETH_LIVE_STATUS: no link
    Row{22, 0, trained},    // GDDR_STATUS
    Row{28, firmware_bundle},
    Row{32, 1},                           // TIMER_HEARTBEAT
    Row{40, 1},                           // NOC_TRANSLATION
    Row{52, 0},                           // ASIC_LOCATION
    Row{63, full_clock(Arch::wormhole)},  // AICLK_LIMIT_MAX
};

constexpr std::array blackhole_telemetry{
    Row{1, board_high(p150)},
    Row{2, 1},
    Row{3, 1},
    Row{4, 0},
    Row{11, degrees(40)},
    Row{13, degrees(35)},
    Row{aiclk_tag, 0},
    Row{15, 900},
    Row{16, 540},
    Row{21, 0},
    Row{22, 0, trained},
    Row{28, firmware_bundle},
    Row{32, 1},
    Row{34, 0, tensix_columns},  // ENABLED_TENSIX_COL
    Row{35, 0, ethernet},        // ENABLED_ETH: of the twelve that have translated coordinates
    Row{36, 0, memories},        // ENABLED_GDDR
    Row{38, 0, pcie_usage},      // PCIE_USAGE
    Row{40, 1},
    Row{52, 0},
    Row{61, 0},  // ASIC_ID_HIGH
    Row{62, 1},  // ASIC_ID_LOW
    Row{63, full_clock(Arch::blackhole)},
};

}  // namespace

const ArcMessage* arc_message(std::uint8_t code) {
  const auto* const found = std::ranges::find(messages, code, &ArcMessage::code);
  return found == messages.end() ? nullptr : found;
}

const ArcClocks& arc_clocks(Arch arch) {
  return *on(arch, &wormhole_clocks, &blackhole_clocks);
}

std::vector<Telemetry> telemetry(const FloorPlan& plan) {
  std::vector<Telemetry> table;
  for (const Row& row : on<std::span<const Row>>(plan.arch(), wormhole_telemetry, blackhole_telemetry))
    table.push_back({row.tag, row.of == nullptr ? row.value : row.of(plan)});
  return table;
}

}  // namespace tensim::device
