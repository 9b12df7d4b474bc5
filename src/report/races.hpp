// Races in words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "insight/chip_races.hpp"
#include "report/style.hpp"
#include "report/tile_names.hpp"
#include "scenario/scenario.hpp"

namespace tensim::report {

/// Where sites are: which tile a number of the check is, and what runs there. What it is made of must outlive it.
class RaceSites {
 public:
  /// Of one tile alone, which needs no name.
  RaceSites(const scenario::Scenario& alone);  // NOLINT(google-explicit-constructor): a scenario says it all
  RaceSites(Arch arch, TileNames names, std::vector<noc::Coordinates> places)
      : arch_(arch), names_(std::move(names)), places_(std::move(places)) {}

  Arch arch() const { return arch_; }
  const scenario::Scenario& programs(unsigned tile) const { return names_.programs(place(tile)); }
  /// "1,2"; nothing of one that is alone.
  std::string name(unsigned tile) const { return places_.empty() ? "" : names_.name(place(tile)); }
  bool is_host(unsigned tile) const { return !places_.empty() && tile == insight::ChipRacesFound::host; }

 private:
  noc::Coordinates place(unsigned tile) const { return places_.empty() ? noc::Coordinates{} : places_.at(tile); }
  Arch arch_;
  TileNames names_;
  std::vector<noc::Coordinates> places_;
};

/// One race, a fact a line: the pair and what they share, what would order them, and how they lay in this run.
std::vector<std::string> lines_of(const RaceSites& sites, const insight::Races& races, const insight::Race& race);

/// "T2's PACR ... (line 12)", "TRISC2's store at main+0x14 (pack.c:80)"
std::string site_text(const RaceSites& sites, const insight::Site& site);

/// Takes out the races that a suppression file names: a line for each pair, the one that comes second before the one it does not
/// wait for, as reports have them, `*` for any text: "T2's RMWCIB* (pack.c:88) / T2's PACR* (pack.c:80)". Empty lines and
/// those that begin with # say nothing. Empty, or what is wrong with the file.
std::string suppress(const RaceSites& sites, std::string_view file, insight::Races& races);

/// All of them, errors first.
std::string races_text(const Style& style, const RaceSites& sites, const insight::Races& races);
nlohmann::json races_json(const RaceSites& sites, const insight::Races& races);

}  // namespace tensim::report
