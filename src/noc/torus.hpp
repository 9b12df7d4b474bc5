// The grid of routers of one NoC. Coordinates are the NoC's own, raw ones: packets travel towards higher x and higher y on
// both NoCs, and the last router of a row or column is joined to its first (noc 5, 6).
#pragma once

#include <compare>
#include <cstdint>

#include "time/order.hpp"

namespace tensim::noc {

using time::Cycle;
using time::never;

using Router = std::uint16_t;  // y * width + x

struct Position {
  std::uint8_t x = 0;
  std::uint8_t y = 0;
  auto operator<=>(const Position&) const = default;
};

enum class Axis : std::uint8_t { x, y };

constexpr Axis other(Axis axis) {
  return axis == Axis::x ? Axis::y : Axis::x;
}

constexpr unsigned along(Position place, Axis axis) {
  return axis == Axis::x ? place.x : place.y;
}

struct Torus {
  std::uint8_t width = 1;
  std::uint8_t height = 1;

  constexpr unsigned routers() const { return unsigned{width} * height; }
  constexpr unsigned length(Axis axis) const { return axis == Axis::x ? width : height; }
  constexpr Router at(Position place) const { return static_cast<Router>(place.y * width + place.x); }
  constexpr Position place(Router router) const {
    return {static_cast<std::uint8_t>(router % width), static_cast<std::uint8_t>(router / width)};
  }
  /// From coordinate to coordinate, in the one direction that there is.
  constexpr unsigned hops(unsigned from, unsigned to, Axis axis) const {
    return to >= from ? to - from : to + length(axis) - from;
  }
  constexpr Position next(Position place, Axis axis) const {
    if (axis == Axis::x)
      place.x = place.x + 1 == width ? 0 : static_cast<std::uint8_t>(place.x + 1);
    else
      place.y = place.y + 1 == height ? 0 : static_cast<std::uint8_t>(place.y + 1);
    return place;
  }
  /// The link out of this router along this axis is the one that joins the edges.
  constexpr bool wraps(Position place, Axis axis) const { return along(place, axis) + 1 == length(axis); }
};

}  // namespace tensim::noc
