// The same programs on our tile and on a reference, and what they leave behind: L1, and Dst.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/reference_tile.hpp"
#include "scenario/run.hpp"
#include "scenario/scenario.hpp"

namespace tensim::reference {

struct Range {
  std::uint32_t address = 0;
  std::uint32_t bytes = 0;
};

struct CompareOptions {
  OpenOptions reference;                  // its architecture is the scenario's
  std::optional<scenario::Cycle> budget;  // cycles for us, clocks for the reference
  std::vector<Range> ignored = {};        // of L1
  bool compares_dst = true;
};

/// Words (of L1, by their address) or datums (of Dst, by row and column) that are not the same.
struct Differences {
  std::uint64_t count = 0;
  std::uint32_t first = 0;  // an address; or row times 16 plus column
  std::uint32_t ours = 0;
  std::uint32_t theirs = 0;  // the reference's
};

struct Comparison {
  explain::Outcome ours;
  /// The reference has run: we have finished. The rest means nothing otherwise.
  bool reference_ran = false;
  RunEnd reference;
  Differences l1;
  std::optional<Differences> dst;  // none if it was not asked for, or the reference did not let us read it
  std::string dst_problem;
};

/// A scenario that feeds threads is made into programs first (thread_programs.hpp).
std::variant<Comparison, Error> compare(const scenario::Scenario& scenario, const CompareOptions& options);

/// Words of L1 that differ and are in no ignored range. Both are of the same size.
Differences differences(std::span<const std::uint8_t> ours, std::span<const std::uint8_t> theirs,
                        std::span<const Range> ignored);

}  // namespace tensim::reference
