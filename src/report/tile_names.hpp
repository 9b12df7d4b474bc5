// Tiles of a chip as their user calls them, and who of them has initiated a request.
#pragma once

#include <functional>
#include <string>

#include "noc/message.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

/// "3,4"
std::string text_of(noc::Coordinates tile);

/// What runs on tiles, and how their user calls them; tiles are given by NoC 0's coordinates.
struct TileNames {
  std::function<const scenario::Scenario&(noc::Coordinates tile)> programs;
  std::function<std::string(noc::Coordinates tile)> name = [](noc::Coordinates tile) { return text_of(tile); };
};

/// Where all programs that are asked for are those of one tile. It must outlive the names.
TileNames names_of_one(const scenario::Scenario& scenario);

/// "BRISC of tile 1,2", "the host"
std::string issuer_text(const TileNames& names, const noc::Issuer& issuer);
/// "main+0x14 (writer.c:41)", with the calls that it stands in the place of; "a window of PCIe"
std::string issued_at(const TileNames& names, const noc::Issuer& issuer);

}  // namespace tensim::report
