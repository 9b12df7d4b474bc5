// Any text is a scenario, or is refused with a reason. A scenario ends within its budget, in the same way whether idle
// time is skipped or walked, and whatever is stuck can be explained.
#include <cstdlib>
#include <string>

#include "host/run.hpp"
#include "host/scenario.hpp"

using namespace tensim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const host::FileLoader no_files = [](const std::string&) { return isa::LoadedText{}; };
  const auto parsed = host::parse_scenario(text, "fuzz.toml", no_files);
  const auto* scenario = std::get_if<host::Scenario>(&parsed);
  if (scenario == nullptr) {
    if (std::get<std::string>(parsed).empty()) std::abort();
    return 0;
  }
  host::RunOptions options;
  options.budget = std::min<host::Cycle>(scenario->budget, 500);
  const host::Outcome skipping = host::run(*scenario, options);
  options.lockstep = true;
  options.evaluation_order = {2, 1, 0};
  const host::Outcome walking = host::run(*scenario, options);
  if (skipping.kind != walking.kind || skipping.cycles != walking.cycles || skipping.ended_at != walking.ended_at)
    std::abort();
  if (skipping.failed_expectations != walking.failed_expectations) std::abort();
  for (unsigned thread = 0; thread < host::thread_count; ++thread)
    if (skipping.threads[thread].account != walking.threads[thread].account) std::abort();
  for (const insight::StuckAgent& agent : skipping.graph.agents)
    if (host::explain(*scenario, agent).empty()) std::abort();
  for (const tensix::Report& report : skipping.reports)
    if (host::explain(*scenario, report).empty()) std::abort();
  if (skipping.fault && host::explain(*scenario, *skipping.fault).empty()) std::abort();
  return 0;
}
