// What a chip is, and how we know: sizes, names, address map, registers and timing.
#pragma once

#include <string>

#include "arch/arch.hpp"
#include "report/style.hpp"

namespace tensim::report {

/// JSON is of the schema tensim.arch/1.
std::string arch_report(Arch arch, bool with_timing, Format format);

}  // namespace tensim::report
