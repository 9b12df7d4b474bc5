#include "tensim/replay.h"

#include "capi/boundary.hpp"
#include "device/replay.hpp"
#include "report/replay.hpp"

using namespace tensim;

namespace {

/// Nothing if rules are asked for that are none.
std::optional<device::ReplayOptions> options_for(const tensim_replay_options& given) {
  device::ReplayOptions options;
  options.host_threads = capi::threads_of(given.threads);
  if (given.check_races == 0) return options;
  options.races.emplace();
  if (given.race_rules != nullptr && !options.races->read(given.race_rules)) return std::nullopt;
  return options;
}

tensim_status status_of(const device::ReplayResult& result) {
  if (!result.faults.empty()) return TENSIM_FAULT;
  if (!result.differences.empty()) return TENSIM_DIFFERS;
  return result.races && result.races->races.errors() != 0 ? TENSIM_RACE : TENSIM_OK;
}

}  // namespace

extern "C" {

TENSIM_EXPORT tensim_status tensim_replay_with(const char* recording, size_t size, const char* file,
                                               const tensim_replay_options* options, tensim_format format,
                                               tensim_text** text) {
  return capi::guarded(text, [&] {
    const auto wanted = capi::format_of(format);
    const auto given = capi::options_of(options);
    if (text == nullptr || file == nullptr || !wanted || !given || (recording == nullptr && size != 0))
      return TENSIM_BAD_ARGUMENT;
    const auto replay_options = options_for(*given);
    if (!replay_options) return capi::fail(text, TENSIM_BAD_INPUT, "expected rules as in 19a=error,14=warning");
    const auto parsed = device::parse_replay({recording, size});
    if (const auto* problem = std::get_if<std::string>(&parsed)) return capi::fail(text, TENSIM_BAD_INPUT, *problem);
    const auto& replay = std::get<device::Replay>(parsed);
    device::ReplayResult result = device::replay(replay, *replay_options);
    if (result.races && given->race_suppressions != nullptr)
      if (const std::string problem = report::suppress(replay, given->race_suppressions, result); !problem.empty())
        return capi::fail(text, TENSIM_BAD_INPUT, "suppressions: " + problem);
    *text = new tensim_text{report::replay_report(text::printable(file), replay, result, *wanted)};
    return status_of(result);
  });
}

TENSIM_EXPORT tensim_status tensim_replay(const char* recording, size_t size, const char* file, tensim_format format,
                                          tensim_text** text) {
  return tensim_replay_with(recording, size, file, nullptr, format, text);
}

}  // extern "C"
