// A device's faults in words.
#pragma once

#include <string>
#include <vector>

#include "device/fault.hpp"
#include "report/tile_names.hpp"

namespace tensim::report {

/// What happened and where, then more about it.
std::vector<std::string> lines_of(const device::Fault& fault);
/// All of it, a line each, with where and when in the first.
std::string text_of(const device::Fault& fault);
/// What came over the NoC, and who sent it.
std::string text_of(const TileNames& names, const tile::NocFault& fault);
std::string text_of(const TileNames& names, const chip::Unanswered& request);

}  // namespace tensim::report
