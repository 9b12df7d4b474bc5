#include "tensim/replay.h"

#include "capi/boundary.hpp"
#include "device/replay.hpp"
#include "report/replay.hpp"

using namespace tensim;

extern "C" TENSIM_EXPORT tensim_status tensim_replay(const char* recording, size_t size, const char* file,
                                                     tensim_format format, tensim_text** text) {
  return capi::guarded(text, [&] {
    const auto wanted = capi::format_of(format);
    if (text == nullptr || file == nullptr || !wanted || (recording == nullptr && size != 0))
      return TENSIM_BAD_ARGUMENT;
    const auto parsed = device::parse_replay({recording, size});
    if (const auto* problem = std::get_if<std::string>(&parsed)) return capi::fail(text, TENSIM_BAD_INPUT, *problem);
    const auto& replay = std::get<device::Replay>(parsed);
    const device::ReplayResult result = device::replay(replay);
    *text = new tensim_text{report::replay_report(text::printable(file), replay, result, *wanted)};
    if (!result.faults.empty()) return TENSIM_FAULT;
    return result.differences.empty() ? TENSIM_OK : TENSIM_DIFFERS;
  });
}
