// What came of a replay (docs/replay.md).
#pragma once

#include <string>

#include "device/replay.hpp"
#include "report/style.hpp"

namespace tensim::report {

/// `file` is what the recording is called. JSON is of the schema tensim.replay/1.
std::string replay_report(const std::string& file, const device::Replay& replay, const device::ReplayResult& result,
                          Format format);

/// Takes out races that a suppression file names. Empty, or what is wrong with the file.
std::string suppress(const device::Replay& replay, std::string_view file, device::ReplayResult& result);

}  // namespace tensim::report
