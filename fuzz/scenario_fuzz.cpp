// Any text is a scenario, or is refused with a reason. A scenario ends within its budget, in the same way whether idle
// time is skipped or walked, and whatever is stuck can be explained.
#include <cstdlib>
#include <string>

#include "report/hang.hpp"
#include "report/notes.hpp"
#include "scenario/run.hpp"
#include "scenario/scenario.hpp"

using namespace tensim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const scenario::FileLoader no_files = [](const std::string&) { return isa::LoadedText{}; };
  const auto parsed = scenario::parse_scenario(text, "fuzz.toml", no_files);
  const auto* scenario = std::get_if<scenario::Scenario>(&parsed);
  if (scenario == nullptr) {
    if (std::get<scenario::Problem>(parsed).text.empty()) std::abort();
    return 0;
  }
  scenario::RunOptions options;
  options.budget = std::min<scenario::Cycle>(scenario->budget, 500);
  const scenario::Outcome skipping = scenario::run(*scenario, options);
  options.lockstep = true;
  options.evaluation_order = {2, 1, 0};
  const scenario::Outcome walking = scenario::run(*scenario, options);
  if (skipping.kind != walking.kind || skipping.cycles != walking.cycles || skipping.ended_at != walking.ended_at)
    std::abort();
  if (skipping.failed_expectations != walking.failed_expectations) std::abort();
  for (unsigned thread = 0; thread < scenario::thread_count; ++thread)
    if (skipping.threads[thread].account != walking.threads[thread].account) std::abort();
  for (const insight::StuckAgent& agent : skipping.graph.agents)
    if (report::lines_of(*scenario, agent).empty()) std::abort();
  for (const tensix::Report& report : skipping.reports)
    if (report::text_of(*scenario, report).empty()) std::abort();
  if (skipping.fault && report::text_of(*scenario, *skipping.fault).empty()) std::abort();
  return 0;
}
