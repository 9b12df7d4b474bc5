// The cycle model's parameters of a tile as its parts use them, worked out once: all tiles of a run share one.
#pragma once

#include <array>
#include <memory>

#include "arch/address_map.hpp"
#include "arch/timing.hpp"
#include "riscv/core_timing.hpp"
#include "tensix/unit_timing.hpp"

namespace tensim::tile {

struct TileTiming {
  explicit TileTiming(const Timing& timing);
  bool operator==(const TileTiming&) const = default;

  riscv::CoreTiming cores;
  tensix::UnitTiming units;
  /// Cycles from a load entering to its result, by what it reads (Region::Kind), at least.
  std::array<std::uint8_t, Region::kind_count> load_latency;
  time::Cycle narrow_write_hold;  // port and bank of L1, by a store that does not fill its block
};

/// As the chip has it.
std::shared_ptr<const TileTiming> tile_timing(Arch arch);

}  // namespace tensim::tile
