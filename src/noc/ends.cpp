#include "noc/ends.hpp"

namespace tensim::noc {
namespace {

End end_of(const FloorPlan& plan, Coordinates tile) {
  return {.kind = plan.kind(tile), .is_off = plan.is_off(tile)};
}

/// From start on in the direction of the NoC, round the edge if end is before it.
constexpr bool spans(std::uint32_t start, std::uint32_t end, std::uint32_t at) {
  return start <= end ? start <= at && at <= end : at <= end || start <= at;
}

}  // namespace

std::optional<Coordinates> lead_to(const FloorPlan& plan, unsigned noc, const Translation* registers,
                                   Coordinates given) {
  const Coordinates own = registers == nullptr ? given : translate(plan.arch(), *registers, given);
  if (own.x >= plan.width() || own.y >= plan.height()) return std::nullopt;
  return plan.on_noc(own, noc);
}

std::variant<FoundTiles, Refusal> find_tiles(const FloorPlan& plan, const Initiator& initiator,
                                             const Translation* registers, const Request& request) {
  const auto find = [&](Coordinates given) { return lead_to(plan, initiator.noc, registers, given); };
  FoundTiles found{.target = {}, .other = initiator.tile, .ends = {.initiator = end_of(plan, initiator.tile)}};
  if (!request.broadcast) {
    const auto target = find(request.target.tile);
    if (!target) return Refusal::no_such_tile;
    found.target = *target;
    found.ends.target = end_of(plan, *target);
  }
  // Of what is posted nobody looks at the other end's tile.
  if (request.kind != RequestKind::inline_write && !request.is_posted) {
    const auto other = find(request.other.tile);
    if (!other) return Refusal::no_such_tile;
    found.other = *other;
  }
  found.ends.other = end_of(plan, found.other);
  return found;
}

std::optional<std::vector<Coordinates>> rectangle_tiles(const FloorPlan& plan, const Initiator& initiator,
                                                        const Translation* registers, const Broadcast& broadcast) {
  const auto first = lead_to(plan, initiator.noc, registers, broadcast.tiles.start);
  const auto last = lead_to(plan, initiator.noc, registers, broadcast.tiles.end);
  if (!first || !last) return std::nullopt;
  const Coordinates start = plan.on_noc(*first, initiator.noc);
  const Coordinates end = plan.on_noc(*last, initiator.noc);
  std::vector<Coordinates> tiles;
  for (std::uint32_t y = 0; y < plan.height(); ++y)
    for (std::uint32_t x = 0; x < plan.width(); ++x) {
      const Coordinates own{x, y};
      const Coordinates tile = plan.on_noc(own, initiator.noc);
      const bool is_left_out = (broadcast.excluded && broadcast.excluded->contains(own)) ||
                               (tile == initiator.tile && !broadcast.includes_source);
      if (spans(start.x, end.x, x) && spans(start.y, end.y, y) && !is_left_out) tiles.push_back(tile);
    }
  return tiles;
}

}  // namespace tensim::noc
