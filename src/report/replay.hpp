// What came of a replay (docs/replay.md).
#pragma once

#include <string>

#include "device/replay.hpp"
#include "report/style.hpp"

namespace tensim::report {

/// `file` is what the recording is called. JSON is of the schema tensim.replay/1.
std::string replay_report(const std::string& file, const device::Replay& replay, const device::ReplayResult& result,
                          Format format);

}  // namespace tensim::report
