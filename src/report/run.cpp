#include "report/run.hpp"

#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "noc/refusal.hpp"
#include "report/accesses.hpp"
#include "report/accounts.hpp"
#include "report/cores.hpp"
#include "report/critical_path.hpp"
#include "report/device_faults.hpp"
#include "report/hang.hpp"
#include "report/lints.hpp"
#include "report/notes.hpp"
#include "report/outcome_json.hpp"
#include "report/profile.hpp"
#include "report/races.hpp"

namespace tensim::report {
namespace {

std::string accounts_text(const Style& style, const explain::Outcome& outcome) {
  std::string text;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    const explain::ThreadResult& result = outcome.threads[thread];
    const std::string reasons = text_of(result.account);
    if (result.issued == 0 && reasons.empty()) continue;
    text += fmt::format("  T{}  {:>6} issued, {:>6} held{}{}\n", thread, result.issued, held_cycles(result.account),
                        reasons.empty() ? "" : ": ", style.dim(reasons));
    if (result.wait_left) text += fmt::format("      {}\n", style.dim("a wait is latched with nothing behind it"));
  }
  return text;
}

std::string cores_text(const Style& style, const scenario::Scenario& scenario, const explain::Outcome& outcome) {
  std::string text;
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const explain::CoreResult& result = outcome.cores[i];
    if (!result.ran) continue;
    const std::string reasons = text_of(result.account);
    text += fmt::format("  {:<6} {:>8} retired{}{}; {}\n", tile::core_names[i], result.retired,
                        reasons.empty() ? "" : ", stalled: ", style.dim(reasons), text_of(scenario, result.state));
  }
  return text;
}

/// What the cores printed, a line at a time, with the cycle in which it was complete.
std::string printed_text(const Style& style, const explain::Outcome& outcome) {
  std::string text;
  std::array<std::string, tile::core_count> open;
  const auto add_line = [&](unsigned core, std::string_view line, tile::Cycle cycle) {
    text += fmt::format("{} {} {}\n", style.dim(fmt::format("{:>8}", cycle)),
                        style.name(fmt::format("{}:", tile::core_names[core])), line);
  };
  tile::Cycle last = 0;
  for (const tile::PrintedText& printed : outcome.printed) {
    const auto core = static_cast<unsigned>(printed.core);
    last = printed.cycle;
    if (printed.lost != 0) open[core] += fmt::format("[{} bytes lost]", printed.lost);
    for (const char letter : printed.text) {
      if (letter != '\n') {
        open[core].push_back(letter);
        continue;
      }
      add_line(core, open[core], printed.cycle);
      open[core].clear();
    }
  }
  for (unsigned core = 0; core < tile::core_count; ++core)
    if (!open[core].empty()) add_line(core, open[core], last);
  return text;
}

/// What a program has left behind, and ought not to have.
bool is_fault(const riscv::CoreReport& report) {
  return report.category == riscv::CoreReport::Category::noc_request &&
         noc::refusal_rows[static_cast<noc::Refusal>(report.value)].severity == noc::RefusalRow::Severity::fault;
}

/// Those that are lints stand among these in a run that was checked.
std::string notes_text(const Style& style, const scenario::Scenario& scenario, const explain::Outcome& outcome) {
  std::string text;
  for (const tile::TileReport& report : outcome.core_reports)
    if (!outcome.lints || !insight::lint_kind_of(report.report))
      text += is_fault(report.report) ? fmt::format("{}\n", style.error(text_of(scenario, report)))
                                      : fmt::format("{} {}\n", style.warning("note:"), text_of(scenario, report));
  for (const tensix::Report& report : outcome.reports)
    if (!outcome.lints || !insight::lint_kind_of(report))
      text += fmt::format("{} {}\n", style.warning("note:"), text_of(scenario, report));
  return text;
}

std::string to_text(const Style& style, const scenario::Scenario& scenario, const explain::Outcome& outcome) {
  std::string text = printed_text(style, outcome);
  const std::string kind(name(outcome.kind));
  const bool is_fine =
      outcome.kind == explain::OutcomeKind::finished || outcome.kind == explain::OutcomeKind::waiting_for_host;
  const std::string verdict = is_fine ? style.strong(kind) : style.error(kind);
  text += fmt::format("{}: {} after {} cycles ({})\n", scenario.title.empty() ? scenario.file : scenario.title, verdict,
                      outcome.cycles, name(scenario.arch));
  text += cores_text(style, scenario, outcome);
  text += accounts_text(style, outcome);
  if (!outcome.problem.empty()) text += fmt::format("{}\n", style.error(outcome.problem));
  return text + details_text(style, scenario, outcome, names_of_one(scenario));
}

}  // namespace

std::string details_text(const Style& style, const scenario::Scenario& scenario, const explain::Outcome& outcome,
                         const TileNames& names) {
  std::string text;
  if (outcome.core_end)
    for (const std::string& line : lines_of(scenario, *outcome.core_end))
      text += fmt::format("{}\n", style.error(line));
  if (outcome.fault) text += fmt::format("{}\n", style.error(text_of(scenario, *outcome.fault)));
  if (const auto& fault = outcome.core_fault)
    text += fmt::format("{}\n", style.error(describe(fault->fault, fault->access, fault->region)));
  if (outcome.noc_fault) text += fmt::format("{}\n", style.error(text_of(names, *outcome.noc_fault)));
  text += hang_text(scenario, outcome);
  text += notes_text(style, scenario, outcome);
  if (outcome.lints) text += lints_text(style, scenario, outcome);
  if (outcome.races) text += races_text(style, scenario, *outcome.races);
  if (outcome.path) text += path_text(style, scenario, *outcome.path);
  if (outcome.profile) text += profile_text(style, scenario, *outcome.profile);
  for (const std::string& failure : outcome.failed_expectations)
    text += fmt::format("{} {}\n", style.error("expectation failed:"), failure);
  return text;
}

std::string run_report(const scenario::Scenario& scenario, const explain::Outcome& outcome, Format format) {
  return format == Format::json ? document_text(outcome_json(scenario, outcome))
                                : to_text(style_of(format), scenario, outcome);
}

}  // namespace tensim::report
