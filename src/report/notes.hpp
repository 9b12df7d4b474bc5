// What the coprocessor reports, and what stops it, in words.
#pragma once

#include <string>

#include "scenario/scenario.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::report {

std::string text_of(const scenario::Scenario& scenario, const tensix::Fault& fault);
std::string text_of(const scenario::Scenario& scenario, const tensix::Report& report);
/// Without who and when.
std::string what_of(const tensix::Report& report);

}  // namespace tensim::report
