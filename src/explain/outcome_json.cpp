#include "explain/outcome_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tensim::scenario {
namespace {

nlohmann::json agent_json(const Scenario& scenario, const insight::StuckAgent& agent) {
  nlohmann::json entry{
      {"agent", agent.name},        {"thread", fmt::format("T{}", agent.thread)},
      {"stall", name(agent.stall)}, {"instruction", describe(scenario, agent.thread, agent.instruction)},
      {"for_ever", agent.for_ever}, {"explanation", explain(scenario, agent)}};
  if (agent.latched_by) entry["latched_by"] = describe(scenario, agent.thread, *agent.latched_by);
  for (const insight::UnmetCondition& condition : agent.unmet) {
    nlohmann::json releasers = nlohmann::json::array();
    for (const insight::Releaser& releaser : condition.releasers) {
      nlohmann::json who{{"reason", name(releaser.reason)}};
      if (releaser.thread) who["thread"] = fmt::format("T{}", *releaser.thread);
      if (releaser.instruction) who["instruction"] = describe(scenario, *releaser.thread, *releaser.instruction);
      if (releaser.unpacker) who["unpacker"] = *releaser.unpacker;
      if (!releaser.core.empty()) who["core"] = releaser.core;
      if (releaser.held_at) who["held_at"] = describe(scenario, *releaser.thread, *releaser.held_at);
      if (!releaser.waits_for.empty()) who["waits_for"] = releaser.waits_for;
      releasers.push_back(std::move(who));
    }
    entry["unmet"].push_back({{"what", condition.what},
                              {"state", condition.state},
                              {"needs", condition.needs},
                              {"releasers", std::move(releasers)}});
  }
  return entry;
}

nlohmann::json core_json(const CoreResult& result, std::string_view name) {
  nlohmann::json account = nlohmann::json::object();
  for (std::size_t i = 0; i < riscv::core_stall_count; ++i)
    if (result.account.cycles[i] != 0) account[std::string(riscv::core_stall_names[i])] = result.account.cycles[i];
  return {{"core", name}, {"retired", result.retired}, {"cycles", std::move(account)}, {"state", result.state}};
}

}  // namespace

nlohmann::json outcome_json(const Scenario& scenario, const Outcome& outcome) {
  nlohmann::json document{{"schema", "tensim.run/1"},    {"scenario", scenario.file},     {"title", scenario.title},
                          {"arch", name(scenario.arch)}, {"outcome", name(outcome.kind)}, {"cycles", outcome.cycles},
                          {"ended_at", outcome.ended_at}};
  for (unsigned thread = 0; thread < thread_count; ++thread) {
    const ThreadResult& result = outcome.threads[thread];
    nlohmann::json account = nlohmann::json::object();
    for (std::size_t i = 0; i < event::stall_count; ++i)
      if (result.account.cycles[i] != 0) account[std::string(event::stall_names[i])] = result.account.cycles[i];
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
  for (const StuckCore& core : outcome.stuck_cores)
    document["stuck_cores"].push_back(
        {{"core", core.name}, {"hangs", core.hangs}, {"cycle", core.action.cycle}, {"explanation", explain(core)}});
  document["partial_deadlock"] = outcome.graph.partial;
  document["wait_cycles"] = nlohmann::json::array();
  for (const auto& ring : outcome.graph.cycles) {
    nlohmann::json members = nlohmann::json::array();
    for (const unsigned thread : ring)
      members.push_back(fmt::format("T{}", thread));
    document["wait_cycles"].push_back(std::move(members));
  }
  document["reports"] = nlohmann::json::array();
  for (const tensix::Report& report : outcome.reports)
    document["reports"].push_back(explain(scenario, report));
  if (outcome.fault) document["fault"] = explain(scenario, *outcome.fault);
  if (outcome.core_fault) document["core_fault"] = outcome.core_fault->message;
  if (!outcome.core_stop.empty()) document["core_stop"] = outcome.core_stop;
  for (unsigned i = 0; i < tile::core_count; ++i)
    if (outcome.cores[i].ran) document["cores"].push_back(core_json(outcome.cores[i], tile::core_names[i]));
  document["core_reports"] = outcome.core_reports;
  document["printed"] = nlohmann::json::array();
  for (const tile::PrintedText& printed : outcome.printed)
    document["printed"].push_back(
        {{"core", tile::name(printed.core)}, {"cycle", printed.cycle}, {"text", printed.text}, {"lost", printed.lost}});
  document["failed_expectations"] = outcome.failed_expectations;
  return document;
}

}  // namespace tensim::scenario
