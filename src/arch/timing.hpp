// How long things take on the two chips, side by side: the parameters of the cycle model. Every row says how we know it.
// `min` rows are lower bounds of the page they cite; `gap` rows count instructions. Results measured on silicon, as
// opposed to parameters, are under data/silicon.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "arch/row_index.hpp"
#include "arch/timing/cores.hpp"
#include "arch/timing/data_movement.hpp"
#include "arch/timing/frontend.hpp"
#include "arch/timing/row.hpp"
#include "arch/timing/units.hpp"

namespace tensim {

namespace detail {
template <std::size_t... Sizes>
consteval auto joined(const std::array<TimingRow, Sizes>&... parts) {
  std::array<TimingRow, (Sizes + ...)> all{};
  std::size_t at = 0;
  ((std::copy(parts.begin(), parts.end(), all.begin() + at), at += Sizes), ...);
  return all;
}
}  // namespace detail

inline constexpr std::array timing_rows =
    detail::joined(timing::frontend(), timing::units(), timing::data_movement(), timing::cores());

inline namespace literals {
/// The index of a row of timing_rows.
consteval std::size_t operator""_cycles(const char* name, std::size_t length) {
  return detail::row_named<timing_rows>(std::string_view(name, length));
}
}  // namespace literals

constexpr double cycles(Arch arch, std::size_t row) {
  return timing_rows[row].on(arch).cycles;
}

}  // namespace tensim
