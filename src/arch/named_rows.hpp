// Names of an enum's values: one row each, in the enum's order. A row that is missing, twice or out of order does not
// compile, and neither does an enum that has grown beyond its rows:
//
//   enum class Colour : std::uint8_t { red, green };
//   inline constexpr NamedRows colour_rows{std::array{NamedRow{Colour::red, "red"}, NamedRow{Colour::green, "green"}}};
//   static_assert(colour_rows.cover(Colour::green));
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tensim {

template <class Enum>
struct NamedRow {
  Enum value;
  std::string_view name;
};
template <class Enum>
NamedRow(Enum, const char*) -> NamedRow<Enum>;

/// The enum has a name for the value. Compilers write "(Colour)2" for one that has none.
template <auto Value>
consteval bool is_enumerator() {
  return std::string_view(__PRETTY_FUNCTION__).find("Value = (") == std::string_view::npos;
}

template <class Row, std::size_t Count>
class NamedRows {
 public:
  using Enum = decltype(Row::value);
  static_assert(!is_enumerator<static_cast<Enum>(Count)>(), "the enum has a value without a row");
  static constexpr std::size_t count = Count;

  explicit consteval NamedRows(const std::array<Row, Count>& rows) : rows_(rows) {
    for (std::size_t i = 0; i < Count; ++i)
      if (static_cast<std::size_t>(rows_[i].value) != i) throw "rows are not in the order of their enum";
  }
  /// `last` is the enum's last value, and has the last row.
  consteval bool cover(Enum last) const { return static_cast<std::size_t>(last) + 1 == Count; }

  constexpr const Row& operator[](Enum value) const { return rows_[static_cast<std::size_t>(value)]; }
  constexpr std::string_view name(Enum value) const { return (*this)[value].name; }
  constexpr auto begin() const { return rows_.begin(); }
  constexpr auto end() const { return rows_.end(); }

 private:
  std::array<Row, Count> rows_;
};

}  // namespace tensim
