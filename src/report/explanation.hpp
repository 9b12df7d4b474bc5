// Everything about one word, or about a field of the configuration.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "arch/arch.hpp"
#include "report/style.hpp"

namespace tensim::report {

struct ExplainProblem {
  std::string text;
};
using Explained = std::variant<std::string, ExplainProblem>;

/// `what` is a hexadecimal word (rotated as in a RISC-V stream if `is_ttinsn`), an instruction, a field of the
/// configuration, a rule of the race check or a kind of lint. JSON is of the schema tensim.explain/1,
/// tensim.explain_config/1, tensim.explain_race/1 or tensim.explain_lint/1.
Explained explain(Arch arch, std::string_view what, bool is_ttinsn, Format format);

}  // namespace tensim::report
