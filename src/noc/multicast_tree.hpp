// The tree along which a multicast reaches its rectangle (noc 6). With X as the major axis: along X to the rectangle's first
// column, unless the source is in one of its columns; then along Y from the source's row until all rows of the rectangle have
// been met, and in each of these along X until all its columns have been. A source inside therefore sends around the ring.
#pragma once

#include <array>
#include <vector>

#include "noc/packet.hpp"
#include "noc/route.hpp"

namespace tensim::noc {

class MulticastTree {
 public:
  static constexpr std::uint16_t none = 0xFFFF;
  struct Node {
    Router router = 0;
    bool receives = false;                             // the NIU of this router gets a copy
    std::array<std::uint16_t, 2> next = {none, none};  // by axis: the node at the end of that link
    std::uint16_t depth = 0;                           // links from the source
  };

  MulticastTree() = default;
  /// `accepts`, by router: its NIU takes multicasts. The others only pass them on.
  MulticastTree(const Torus& torus, Position source, const MulticastArea& rectangle,
                const std::vector<std::uint8_t>& accepts);

  /// The first is the source's own router.
  const std::vector<Node>& nodes() const { return nodes_; }
  unsigned leaves() const;

 private:
  /// Adds a node for each link, and returns the last.
  std::uint16_t walk(const Torus& torus, std::uint16_t from, Axis axis, unsigned links);
  std::vector<Node> nodes_;
};

}  // namespace tensim::noc
