// Any text as a replay: it is refused with a line's number, or done.
#include <cstdlib>
#include <string_view>

#include "device/replay.hpp"

using namespace tensim;

namespace {

constexpr device::Cycle most_cycles = 20'000;

/// Neither lines nor cycles without end.
bool is_short(const device::Replay& replay) {
  device::Cycle cycles = 0;
  for (const device::ReplayStep& step : replay.steps) {
    if (step.cycle.value_or(0) > most_cycles || step.budget > most_cycles) return false;
    cycles += step.budget;
  }
  return cycles <= most_cycles;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = device::parse_replay({reinterpret_cast<const char*>(data), size});
  if (const auto* problem = std::get_if<std::string>(&parsed)) {
    if (problem->empty()) std::abort();
    return 0;
  }
  const auto& replay = std::get<device::Replay>(parsed);
  if (is_short(replay)) device::replay(replay);
  return 0;
}
