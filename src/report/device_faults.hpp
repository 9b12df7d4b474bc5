// A device's faults in words.
#pragma once

#include <string>
#include <vector>

#include "device/fault.hpp"

namespace tensim::report {

/// What happened and where, then more about it.
std::vector<std::string> lines_of(const device::Fault& fault);
/// All of it, a line each, with where and when in the first.
std::string text_of(const chip::Unanswered& request);
std::string text_of(const device::Fault& fault);
/// What came over the NoC, and who sent it. Without the sender's programs (null) its pc is a number.
std::string text_of(const tile::NocFault& fault, const scenario::Scenario* issuer_programs = nullptr);

}  // namespace tensim::report
