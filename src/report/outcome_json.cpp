#include "report/outcome_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isa/decode.hpp"
#include "isa/disassemble.hpp"
#include "report/accesses.hpp"
#include "report/causes.hpp"
#include "report/conditions.hpp"
#include "report/cores.hpp"
#include "report/critical_path.hpp"
#include "report/device_faults.hpp"
#include "report/hang.hpp"
#include "report/lints.hpp"
#include "report/notes.hpp"
#include "report/places.hpp"
#include "report/profile.hpp"
#include "report/races.hpp"

namespace tensim::report {

using explain::Outcome;
using scenario::Scenario;

namespace {

nlohmann::json releaser_json(const Scenario& scenario, const insight::Releaser& releaser) {
  nlohmann::json who{{"reason", name(releaser.reason)}};
  if (releaser.thread) who["thread"] = fmt::format("T{}", *releaser.thread);
  if (releaser.instruction) who["instruction"] = instruction_text(scenario, *releaser.thread, *releaser.instruction);
  if (releaser.unpacker) who["unpacker"] = *releaser.unpacker;
  if (releaser.core) who["core"] = tile::name(*releaser.core);
  if (releaser.held_at) who["held_at"] = instruction_text(scenario, *releaser.thread, *releaser.held_at);
  if (releaser.waits_for) who["waits_for"] = text_of(scenario.arch, *releaser.waits_for).what;
  if (!releaser.pusher) return who;
  who["core"] = tile::name(releaser.pusher->core);
  who["may_have_it_ahead"] = true;
  if (releaser.in_code)
    who["in_code"] = {{"instruction", to_text(isa::decode(scenario.arch, releaser.in_code->word), isa::Syntax::brief)},
                      {"at", location(scenario, releaser.pusher->core, releaser.in_code->pc)}};
  if (releaser.pusher->thread) who["waits_for_thread"] = fmt::format("T{}", *releaser.pusher->thread);
  return who;
}

nlohmann::json agent_json(const Scenario& scenario, const insight::StuckAgent& agent) {
  nlohmann::json entry{
      {"agent", name(agent.agent)}, {"thread", fmt::format("T{}", agent.thread)},
      {"stall", name(agent.stall)}, {"instruction", instruction_text(scenario, agent.thread, agent.instruction)},
      {"for_ever", agent.for_ever}, {"explanation", lines_of(scenario, agent)}};
  if (agent.latched_by) entry["latched_by"] = instruction_text(scenario, agent.thread, *agent.latched_by);
  for (const insight::UnmetCondition& unmet : agent.unmet) {
    const ConditionText text = text_of(scenario.arch, unmet.condition);
    nlohmann::json releasers = nlohmann::json::array();
    for (const insight::Releaser& releaser : unmet.releasers)
      releasers.push_back(releaser_json(scenario, releaser));
    entry["unmet"].push_back(
        {{"what", text.what}, {"state", text.state}, {"needs", text.needs}, {"releasers", std::move(releasers)}});
  }
  return entry;
}

nlohmann::json stuck_core_json(const Scenario& scenario, const Outcome& outcome, const explain::StuckCore& core) {
  const bool hangs = core.scripted && core.scripted->wait == tile::Wait::for_ever;
  return {{"core", tile::name(core.core)},
          {"hangs", hangs},
          {"cycle", core.scripted ? core.scripted->cycle : 0},
          {"explanation", text_of(scenario, outcome, core)}};
}

/// How the run ended, if it is not that everybody had finished.
void add_end(const Scenario& scenario, const Outcome& outcome, const TileNames& names, nlohmann::json& document) {
  if (outcome.fault) document["fault"] = text_of(scenario, *outcome.fault);
  if (outcome.core_fault)
    document["core_fault"] =
        describe(outcome.core_fault->fault, outcome.core_fault->access, outcome.core_fault->region);
  if (outcome.noc_fault) document["noc_fault"] = text_of(names, *outcome.noc_fault);
  if (!outcome.problem.empty()) document["core_stop"] = {outcome.problem};
  if (outcome.core_end) document["core_stop"] = lines_of(scenario, *outcome.core_end);
}

nlohmann::json core_json(const Scenario& scenario, const explain::CoreResult& result, std::string_view name) {
  nlohmann::json account = nlohmann::json::object();
  for (const auto& [stall, stall_name] : riscv::core_stall_rows)
    if (result.account[stall] != 0) account[std::string(stall_name)] = result.account[stall];
  return {{"core", name},
          {"retired", result.retired},
          {"cycles", std::move(account)},
          {"state", text_of(scenario, result.state)}};
}

}  // namespace

nlohmann::json outcome_json(const Scenario& scenario, const Outcome& outcome) {
  return outcome_json(scenario, outcome, names_of_one(scenario));
}

nlohmann::json outcome_json(const Scenario& scenario, const Outcome& outcome, const TileNames& names) {
  nlohmann::json document{{"schema", "tensim.run/1"},    {"scenario", scenario.file},     {"title", scenario.title},
                          {"arch", name(scenario.arch)}, {"outcome", name(outcome.kind)}, {"cycles", outcome.cycles},
                          {"ended_at", outcome.ended_at}};
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    const explain::ThreadResult& result = outcome.threads[thread];
    nlohmann::json account = nlohmann::json::object();
    for (const auto& [stall, stall_name] : event::stall_rows)
      if (result.account[stall] != 0) account[std::string(stall_name)] = result.account[stall];
    nlohmann::json entry{{"thread", fmt::format("T{}", thread)},
                         {"issued", result.issued},
                         {"cycles", std::move(account)},
                         {"wait_left", result.wait_left}};
    if (result.last_issue) entry["last_issue"] = *result.last_issue;
    document["threads"].push_back(std::move(entry));
  }
  document["stuck"] = nlohmann::json::array();
  for (const insight::StuckAgent& agent : outcome.graph.agents)
    document["stuck"].push_back(agent_json(scenario, agent));
  document["stuck_cores"] = nlohmann::json::array();
  for (const explain::StuckCore& core : outcome.stuck_cores)
    document["stuck_cores"].push_back(stuck_core_json(scenario, outcome, core));
  document["partial_deadlock"] = outcome.graph.partial;
  document["wait_cycles"] = nlohmann::json::array();
  for (const auto& ring : outcome.graph.cycles) {
    nlohmann::json members = nlohmann::json::array();
    for (const insight::Agent& agent : ring)
      members.push_back(name(agent));
    document["wait_cycles"].push_back(std::move(members));
  }
  document["reports"] = nlohmann::json::array();
  for (const tensix::Report& report : outcome.reports)
    document["reports"].push_back(text_of(scenario, report));
  if (auto found = hints(scenario, outcome); !found.empty()) document["hints"] = std::move(found);
  add_end(scenario, outcome, names, document);
  for (unsigned i = 0; i < tile::core_count; ++i)
    if (outcome.cores[i].ran) document["cores"].push_back(core_json(scenario, outcome.cores[i], tile::core_names[i]));
  if (outcome.races) document["races"] = races_json(scenario, *outcome.races);
  if (outcome.lints) document["lints"] = lints_json(scenario, outcome);
  if (outcome.path) document["critical_path"] = path_json(scenario, *outcome.path);
  if (outcome.profile) document["profile"] = profile_json(scenario, *outcome.profile);
  if (auto found = causes(scenario, outcome); !found.empty()) document["look_here_first"] = std::move(found);
  document["core_reports"] = nlohmann::json::array();
  for (const tile::TileReport& report : outcome.core_reports)
    document["core_reports"].push_back(text_of(scenario, report));
  document["printed"] = nlohmann::json::array();
  for (const tile::PrintedText& printed : outcome.printed)
    document["printed"].push_back(
        {{"core", tile::name(printed.core)}, {"cycle", printed.cycle}, {"text", printed.text}, {"lost", printed.lost}});
  document["failed_expectations"] = outcome.failed_expectations;
  return document;
}

}  // namespace tensim::report
