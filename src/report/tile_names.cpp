#include "report/tile_names.hpp"

#include <fmt/format.h>

#include "report/places.hpp"

namespace tensim::report {

std::string text_of(noc::Coordinates tile) {
  return fmt::format("{},{}", tile.x, tile.y);
}

TileNames names_of_one(const scenario::Scenario& scenario) {
  return {.programs = [only = &scenario](noc::Coordinates) -> const scenario::Scenario& { return *only; }};
}

std::string issuer_text(const TileNames& names, const noc::Issuer& issuer) {
  return issuer.is_host ? "the host" : fmt::format("{} of tile {}", tile::name(issuer.view), names.name(issuer.tile));
}

std::string issued_at(const TileNames& names, const noc::Issuer& issuer) {
  if (issuer.is_host) return "a window of PCIe";
  const scenario::Scenario& programs = names.programs(issuer.tile);
  const auto core = static_cast<tile::CoreId>(issuer.core);
  return location(programs, core, issuer.pc) + called_at(programs, core, issuer.pc);
}

}  // namespace tensim::report
