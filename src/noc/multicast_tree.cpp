#include "noc/multicast_tree.hpp"

#include <algorithm>

namespace tensim::noc {
namespace {

/// The coordinates of a rectangle along one axis.
struct Span {
  unsigned start;
  unsigned end;
  unsigned length;  // of the ring

  bool has(unsigned at) const { return start <= end ? at >= start && at <= end : at >= start || at <= end; }
  /// Links from `from` until every coordinate of the span has been met. From inside, other than from its start, the last
  /// one met is the one before `from`.
  unsigned links_from(unsigned from) const {
    if (from == start) return (end + length - start) % length;
    if (!has(from)) return (end + length - from) % length;
    return (from - 1 + length - from) % length;
  }
};

Span span(const Torus& torus, const MulticastArea& rectangle, Axis axis) {
  return {along(rectangle.start, axis), along(rectangle.end, axis), torus.length(axis)};
}

}  // namespace

MulticastTree::MulticastTree(const Torus& torus, Position source, const MulticastArea& rectangle,
                             const std::vector<std::uint8_t>& accepts) {
  const Axis major = rectangle.major;
  const Axis minor = other(major);
  const Span majors = span(torus, rectangle, major);
  const Span minors = span(torus, rectangle, minor);
  nodes_.push_back({.router = torus.at(source)});
  unsigned column = along(source, major);
  std::uint16_t trunk = 0;
  if (!majors.has(column)) {
    trunk = walk(torus, trunk, major, torus.hops(column, majors.start, major));
    column = majors.start;
  }
  const unsigned row_links = minors.links_from(along(source, minor));
  for (unsigned link = 0;; ++link) {
    if (minors.has(along(torus.place(nodes_[trunk].router), minor)))
      walk(torus, trunk, major, majors.links_from(column));
    if (link == row_links) break;
    trunk = walk(torus, trunk, minor, 1);
  }
  for (Node& node : nodes_) {
    const Position place = torus.place(node.router);
    const bool is_inside = majors.has(along(place, major)) && minors.has(along(place, minor));
    node.receives = is_inside && accepts[node.router] != 0 && (place != source || rectangle.includes_source);
  }
}

std::uint16_t MulticastTree::walk(const Torus& torus, std::uint16_t from, Axis axis, unsigned links) {
  for (; links != 0; --links) {
    const Node& node = nodes_[from];
    const Router router = torus.at(torus.next(torus.place(node.router), axis));
    const auto depth = static_cast<std::uint16_t>(node.depth + 1);
    const auto next = static_cast<std::uint16_t>(nodes_.size());
    nodes_[from].next[static_cast<unsigned>(axis)] = next;
    nodes_.push_back({.router = router, .depth = depth});
    from = next;
  }
  return from;
}

unsigned MulticastTree::leaves() const {
  return static_cast<unsigned>(
      std::ranges::count_if(nodes_, [](const Node& node) { return node.next[0] == none && node.next[1] == none; }));
}

}  // namespace tensim::noc
