// Why a chip does not go on, in words: who waits for what, what has come, and why the rest does not.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "explain/chip_outcome.hpp"
#include "report/style.hpp"
#include "report/tile_names.hpp"

namespace tensim::report {

/// "write of 64 bytes to 2,2 at 0x00020000"
std::string request_text(const TileNames& names, const noc::Message& request);

/// The explanation of one who waits, one fact a line; all but the first are indented.
std::vector<std::string> lines_of(const TileNames& names, const explain::ChipOutcome& outcome,
                                  const explain::StuckWait& stuck);
/// "wait cycle: BRISC of 1,2 -> BRISC of 2,2 -> BRISC of 1,2"
std::string text_of(const TileNames& names, const explain::Ring& ring);

/// All of it, an empty line before each; empty if nobody waits.
std::string chip_hang_text(const TileNames& names, const explain::ChipOutcome& outcome);
/// {"waits": [...], "wait_cycles": [...]}
nlohmann::json chip_hang_json(const TileNames& names, const explain::ChipOutcome& outcome);

}  // namespace tensim::report
