// Packets for programs to read.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "explain/first_packets.hpp"
#include "report/chip_hang.hpp"

namespace tensim::report {

/// A list of events, each {"cycle", "tile", "event", "noc", "kind", "source", "number", ...}.
nlohmann::json packets_json(const TileNames& names, const explain::FirstPackets& packets);

}  // namespace tensim::report
