// The Vector Unit's registers: LRegs of 32 lanes, the flags that predicate lanes with the stack they are saved on, and
// what SFPCONFIG sets. Pages: LReg.md, VectorUnit.md, SFPCONFIG.md, SFPLOADMACRO.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "arch/sizes.hpp"
#include "number/random.hpp"
#include "number/vector_lanes.hpp"
#include "tensix/registers/fields.hpp"

namespace tensim::tensix {

using number::every_lane;
using number::lane_columns;
using number::lane_count;
using number::LaneMask;
using number::Lanes;

inline constexpr unsigned general_lregs = size_of_both("lregs_general"_size);
inline constexpr unsigned all_lreg_count = size_of_both("lregs"_size);
inline constexpr unsigned macro_lreg = 16;  // written and stored by what SFPLOADMACRO schedules
inline constexpr unsigned index_lreg = 7;   // names the register where an instruction does so indirectly
inline constexpr unsigned first_backdoor_vd = 12;
static_assert(size_of_both("sfpu_lanes"_size) == lane_count);

constexpr bool is_writable_lreg(unsigned lreg) {
  return lreg < general_lregs || lreg == macro_lreg;
}

constexpr std::array<Lanes, all_lreg_count> initial_lregs() {
  std::array<Lanes, all_lreg_count> lregs{};
  lregs[8] = number::all_lanes(0x3F56'594B);   // 0.8373
  lregs[10] = number::all_lanes(0x3F80'0000);  // 1.0
  for (unsigned lane = 0; lane < lane_count; ++lane)
    lregs[15][lane] = lane * 2;
  return lregs;
}

/// Fields of LaneConfig, each spread over the lanes it holds for.
struct LaneConfigMasks {
  LaneMask fp16_infinity = 0;
  LaneMask backdoor_disabled = 0;
  LaneMask dest_index = 0;
  LaneMask capture_index = 0;
  LaneMask block_store = 0;
  LaneMask block_load = 0;
  LaneMask load_exchange = 0;
  LaneMask store_exchange = 0;
  LaneMask exchange_comparison = 0;
  LaneMask row_enabled = every_lane;  // ROW_MASK, turned round
  LaneMask unusual = 0;               // any that changes what SFPLOAD, SFPSTORE or SFPMAD do

  friend constexpr bool operator==(const LaneConfigMasks&, const LaneConfigMasks&) = default;
};

/// One column's: SFPCONFIG takes eight columns and gives all four rows the same.
using LaneConfigs = std::array<std::uint32_t, lane_columns>;

constexpr LaneConfigMasks masks_of(const LaneConfigs& config) {
  constexpr LaneMask one_column = 0x0101'0101;
  const auto spread = [&](unsigned bit) {
    LaneMask mask = 0;
    for (unsigned column = 0; column < lane_columns; ++column)
      if ((config[column] >> bit & 1U) != 0) mask |= one_column << column;
    return mask;
  };
  LaneConfigMasks masks{.fp16_infinity = spread(0),
                        .backdoor_disabled = spread(1),
                        .dest_index = spread(2),
                        .capture_index = spread(3),
                        .block_store = spread(4),
                        .block_load = spread(5),
                        .load_exchange = spread(6),
                        .store_exchange = spread(7),
                        .exchange_comparison = spread(8)};
  constexpr unsigned first_row_bit = 12;
  for (unsigned row = 0; row < number::lane_rows; ++row)
    masks.row_enabled &= ~(spread(first_row_bit + row) & 0xFFU << (row * lane_columns));
  masks.unusual = masks.dest_index | masks.capture_index | masks.block_store | masks.block_load | masks.load_exchange |
                  masks.store_exchange | ~masks.row_enabled;
  return masks;
}

/// BLOCK_DEST_MOV: columns of Dst that the Matrix Unit's moves leave as they are, two for each column of lanes.
constexpr std::uint16_t blocked_move_columns(const LaneConfigs& config) {
  constexpr unsigned first_bit = 9;
  unsigned columns = 0;
  for (unsigned lane = 0; lane < lane_columns; ++lane)
    columns |= (config[lane] >> first_bit & 3U) << (2 * lane);
  return static_cast<std::uint16_t>(columns);
}

struct FlagStack {
  static constexpr unsigned capacity = size_of_both("sfpu_flag_stack"_size);
  std::array<LaneMask, capacity> flags{};
  std::array<LaneMask, capacity> uses_flags{};
  unsigned depth = 0;

  bool empty() const { return depth == 0; }
  bool full() const { return depth == capacity; }
};

/// What SFPLOADMACRO schedules, and when.
struct LoadMacroConfig {
  std::array<std::uint32_t, 4> instruction{};  // templates
  std::array<std::uint32_t, 4> sequence{};     // by macro; a byte for each sub-unit
  std::uint32_t misc = 0;                      // 12 bits

  friend constexpr bool operator==(const LoadMacroConfig&, const LoadMacroConfig&) = default;
};

struct VectorRegisters {
  std::array<Lanes, all_lreg_count> lreg = initial_lregs();
  LaneMask flags = 0;
  LaneMask uses_flags = 0;  // UseLaneFlagsForLaneEnable
  FlagStack stack;
  LaneConfigs lane_config{};
  LaneConfigMasks config;
  std::array<LoadMacroConfig, lane_columns> macros{};
  bool macros_differ = false;  // between columns
  std::array<std::uint32_t, lane_count> random{};

  void macros_changed() {
    macros_differ = std::ranges::any_of(macros, [&](const LoadMacroConfig& macro) { return macro != macros[0]; });
  }

  LaneMask enabled() const { return config.row_enabled & (flags | ~uses_flags); }
  /// All lanes are enabled, and no setting asks for a closer look.
  bool are_usual() const { return (config.unusual | (uses_flags & ~flags)) == 0; }

  /// The lane's random number; its generator moves on.
  std::uint32_t take_random(unsigned lane) {
    const std::uint32_t taken = random[lane];
    random[lane] = number::next_random(taken);
    return taken;
  }
  /// A write of PRNG_SEED (BackendConfiguration.md); how the lanes' states follow from it is the reference's.
  void seed(std::uint32_t value) {
    for (unsigned i = 0; i < lane_count; ++i)
      value = number::next_random(value);
    for (unsigned lane = lane_count; lane-- > 0;) {
      value = number::next_random(number::next_random(value));
      random[lane] = value;
    }
  }
};

}  // namespace tensim::tensix
