// What of the instruction set is modelled, in words.
#pragma once

#include <string>

#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::report {

/// "modelled", or why not.
std::string status(Arch arch, const isa::Form& form);

/// "not modelled", with what of it if that is known.
std::string fault_text(const tensix::Fault& fault);

}  // namespace tensim::report
