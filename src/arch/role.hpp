// What a row of timing or sizes is to the model. Tests hold every row to its role: tests/rows.
#pragma once

#include <cstdint>
#include <string_view>

namespace tensim {

enum class Role : std::uint8_t {
  parameter,    // the model is built from it, and nothing else says it
  consequence,  // follows from how the model is built: a test derives it from a run and compares
  ahead,        // its block, or its case, is not modelled yet
};

constexpr std::string_view name(Role role) {
  switch (role) {
    case Role::parameter: return "parameter";
    case Role::consequence: return "consequence";
    case Role::ahead: return "ahead";
  }
  __builtin_unreachable();
}

}  // namespace tensim
