// The rows of data/silicon that programs on the tile's cores can express, and what our cores give for them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "tests/silicon/guest_program.hpp"
#include "tests/silicon/rows.hpp"

namespace tensim::silicon {

/// Runs each program once and reads all its rows from it.
class GuestMeasurements {
 public:
  /// Cycles as the row states them: per copy of the body, or all of a single shot. Nothing if the row is none of ours.
  std::optional<double> measure(const Row& row);

 private:
  const Times& times(Arch arch, const std::string& probe, unsigned active);
  double slope(Arch arch, const std::string& probe, unsigned active, unsigned thread);
  std::optional<double> single_shot(const Row& row);
  std::optional<double> per_copy(const Row& row);

  std::map<std::tuple<Arch, std::string, unsigned>, Times> known_;
};

/// Least squares: how much `y` grows with `x`.
double slope_of(const std::vector<unsigned>& x, const std::vector<std::uint32_t>& y);

}  // namespace tensim::silicon
