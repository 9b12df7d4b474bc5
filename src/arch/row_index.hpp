// Rows of a table by name, at compile time: a misspelt name does not compile.
#pragma once

#include <cstddef>
#include <string_view>

namespace tensim::detail {

template <const auto& rows>
consteval std::size_t row_named(std::string_view name) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].name == name) return i;
  throw "no row of this name in the table";
}

}  // namespace tensim::detail
