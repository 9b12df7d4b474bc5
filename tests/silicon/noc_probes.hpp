// Probes of data/silicon/noc.csv run on a simulated chip, and what becomes of their times.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "arch/timing.hpp"
#include "tests/silicon/noc_plans.hpp"

namespace tensim::silicon {

/// Cycles between the readings of the clock, by flow and round; empty if a program has not come to its end.
using NocTimes = std::vector<std::vector<std::uint32_t>>;
NocTimes run(const noc::FloorPlan& plan, const Timing& timing, const NocProbe& probe);

/// A row's figures: one, or one for each of the flows that it names ("135.1/200.6/201.0"). Of a range with a mean, the mean; of
/// a range of means, its middle.
std::vector<double> figures(const Row& row);

class NocMeasurements {
 public:
  /// The chip's own times, or others.
  NocMeasurements() : NocMeasurements(Timing(Arch::wormhole), Timing(Arch::blackhole)) {}
  NocMeasurements(const Timing& wormhole, const Timing& blackhole) : timing_{wormhole, blackhole} {}

  /// In the order of figures(), or nothing: then not_expressed() says why.
  std::optional<std::vector<double>> measure(const Row& row);
  static std::string not_expressed(const Row& row);
  /// Tiles that take part, times transactions: what it costs to run.
  static std::uint64_t cost(const Row& row);

 private:
  double hops(const Row& row);
  std::optional<double> marginal(const Row& row);
  const Timing& timing(Arch arch) const { return timing_[static_cast<std::size_t>(arch)]; }

  std::array<Timing, 2> timing_;
};

}  // namespace tensim::silicon
