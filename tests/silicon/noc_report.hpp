// What make silicon prints of the NoC and of DRAM.
#pragma once

#include <vector>

#include "tests/silicon/noc_comparison.hpp"

namespace tensim::silicon {

/// Row by row while they are run, then what was left out, what is far off, and summaries. Returns how many rows are far off
/// without being named as exceptions.
unsigned print_noc(const std::vector<Row>& rows, NocMeasurements& measurements);

}  // namespace tensim::silicon
