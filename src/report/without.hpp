// What a run without a wait came to, beside the one with it.
#pragma once

#include <string>

#include "report/style.hpp"
#include "scenario/chip_run.hpp"

namespace tensim::report {

/// A run of one tile, or of a chip: one of the two is null.
struct RunOfWhat {
  const scenario::Scenario& scenario;
  const explain::Outcome* outcome = nullptr;
  const tile::Tile* tile = nullptr;  // null: it could not begin
  const scenario::ChipRun* chip = nullptr;
};

/// The scenario of the second is scenario::without() of that of the first. JSON is of the schema tensim.without/1.
std::string without_report(const RunOfWhat& with, const RunOfWhat& without, Format format);

}  // namespace tensim::report
