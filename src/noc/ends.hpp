// From the coordinates in a request to tiles: translation as an NIU does it, and the rectangle of a broadcast. Pure functions
// of a floor plan and registers.
#pragma once

#include <variant>
#include <vector>

#include "noc/floor_plan.hpp"
#include "noc/request.hpp"

namespace tensim::noc {

/// Who initiates a request, and by which NoC.
struct Initiator {
  Coordinates tile;  // NoC 0's
  unsigned noc = 0;
};

/// The tiles that a request names, in NoC 0's coordinates. Of a broadcast `target` is not set.
struct FoundTiles {
  Coordinates target;
  Coordinates other;
  Ends ends;
};

/// Where coordinates lead on `noc`, NoC 0's coordinates of it; nothing if there is no tile. `registers` are those of the
/// initiator's NIU, null if its NIU_CFG_0 does not translate.
std::optional<Coordinates> lead_to(const FloorPlan& plan, unsigned noc, const Translation* registers,
                                   Coordinates given);

std::variant<FoundTiles, Refusal> find_tiles(const FloorPlan& plan, const Initiator& initiator,
                                             const Translation* registers, const Request& request);

/// The tiles of a broadcast's rectangle in the order of rows, without the quadrant it leaves out and without the initiator
/// unless it is included. Whether they take broadcasts is for each of their NIUs to say: ROUTER_CFG_1 and 3. Nothing if a
/// corner leads to no tile.
std::optional<std::vector<Coordinates>> rectangle_tiles(const FloorPlan& plan, const Initiator& initiator,
                                                        const Translation* registers, const Broadcast& broadcast);

/// Whether an NIU with these registers takes broadcasts; `own` are its raw coordinates on its NoC.
constexpr bool takes_broadcasts(std::uint32_t router_cfg_1, std::uint32_t router_cfg_3, Coordinates own) {
  return (router_cfg_1 >> own.x & 1U) == 0 && (router_cfg_3 >> own.y & 1U) == 0;
}

}  // namespace tensim::noc
