// How long things take on the two chips, side by side. Every row says how we know it, and what it is to the model
// (arch/role.hpp). `min` rows are lower bounds of the page they cite; `gap` rows count instructions. Results measured on
// silicon are under data/silicon.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arch/row_index.hpp"
#include "arch/timing/cores.hpp"
#include "arch/timing/data_movement.hpp"
#include "arch/timing/frontend.hpp"
#include "arch/timing/network.hpp"
#include "arch/timing/row.hpp"
#include "arch/timing/units.hpp"

namespace tensim {

namespace detail {
template <std::size_t... Sizes>
constexpr auto joined(const std::array<TimingRow, Sizes>&... parts) {
  std::array<TimingRow, (Sizes + ...)> all{};
  std::size_t at = 0;
  ((std::copy(parts.begin(), parts.end(), all.begin() + at), at += Sizes), ...);
  return all;
}
}  // namespace detail

inline constexpr std::array timing_rows =
    detail::joined(timing::frontend(), timing::units(), timing::data_movement(), timing::cores(), timing::network());

inline namespace literals {
/// The index of a row of timing_rows.
consteval std::size_t operator""_cycles(const char* name, std::size_t length) {
  return detail::row_named<timing_rows>(std::string_view(name, length));
}
}  // namespace literals

/// As the chip has it.
constexpr double cycles(Arch arch, std::size_t row) {
  return timing_rows[row].on(arch).cycles;
}

/// The value of every row that a run is given: the chip's, but for parameters that it sets otherwise. What a model uses is
/// worked out from it once, when a tile is made.
class Timing {
 public:
  explicit constexpr Timing(Arch arch) : arch_(arch) {
    for (std::size_t row = 0; row < timing_rows.size(); ++row)
      cycles_[row] = timing_rows[row].on(arch).cycles;
  }

  enum class Refusal : std::uint8_t { none, no_such_row, not_a_parameter, not_on_this_chip, out_of_range };
  /// Sets the parameter of this name, or says why not and leaves everything as it was.
  [[nodiscard]] constexpr Refusal set(std::string_view name, double cycles) {
    for (std::size_t row = 0; row < timing_rows.size(); ++row)
      if (timing_rows[row].name == name) return set(row, cycles);
    return Refusal::no_such_row;
  }

  constexpr Arch arch() const { return arch_; }
  /// 0 of what does not exist on this chip.
  constexpr double operator[](std::size_t row) const { return cycles_[row] < 0 ? 0 : cycles_[row]; }
  template <class Whole>
  constexpr Whole whole(std::size_t row) const {
    return static_cast<Whole>((*this)[row]);
  }

 private:
  constexpr Refusal set(std::size_t row, double cycles) {
    if (timing_rows[row].role != Role::parameter) return Refusal::not_a_parameter;
    if (cycles_[row] < 0) return Refusal::not_on_this_chip;
    if (!timing_rows[row].range.holds(cycles)) return Refusal::out_of_range;
    cycles_[row] = cycles;
    return Refusal::none;
  }

  Arch arch_;
  std::array<double, timing_rows.size()> cycles_{};
};

}  // namespace tensim
