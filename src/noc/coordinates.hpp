// Where a tile is. Coordinates without a word about them are raw ones of NoC 0: x from the left, y from the top.
#pragma once

#include <compare>
#include <cstdint>

namespace tensim::noc {

struct Coordinates {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  friend constexpr auto operator<=>(const Coordinates&, const Coordinates&) = default;
};

/// A rectangle of tiles, corners included. A corner beyond the other goes round the edge.
struct Rectangle {
  Coordinates start;
  Coordinates end;
  friend constexpr bool operator==(const Rectangle&, const Rectangle&) = default;
};

inline constexpr unsigned noc_count = 2;

}  // namespace tensim::noc
