// The zones of retirebench: loops on Blackhole's BRISC between two readings of mcycle and minstret. CSR reads wait for
// everything before them, so both counts are exact.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/silicon/rows.hpp"

namespace tensim::silicon {

struct ZoneResult {
  std::string name;
  std::uint32_t cycles = 0;
  std::uint32_t retired = 0;
};

/// All zones, one behind the other in one program, as on the card.
std::vector<ZoneResult> run_retire_zones();

/// Cycles of a row of unit RV(BRISC): of a zone, or of one divide in it.
std::optional<double> measure_zone(const std::vector<ZoneResult>& zones, const Row& row);
/// Retired instructions as the row states them.
std::optional<unsigned> stated_retired(const Row& row);

}  // namespace tensim::silicon
