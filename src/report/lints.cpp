#include "report/lints.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isa/table.hpp"
#include "report/conditions.hpp"
#include "report/cores.hpp"
#include "report/notes.hpp"
#include "report/places.hpp"
#include "report/races.hpp"
#include "tensix/units/sync/unit.hpp"

namespace tensim::report {

using explain::Outcome;
using insight::Lint;
using insight::LintKind;
using scenario::Scenario;
using namespace isa::literals;

namespace {

/// "T2's SEMGET ... takes from semaphore 1 (MATH_PACK) at 0: lost"
std::string lost_text(const std::string& who, unsigned semaphore, bool is_post) {
  if (is_post)
    return fmt::format("{} posts {} at {}: lost", who, name_of_semaphore(semaphore), tensix::SyncUnit::saturation);
  return fmt::format("{} takes from {} at 0: lost", who, name_of_semaphore(semaphore));
}

std::string discarded_text(const std::string& who, const Lint& lint) {
  const int more = lint.value - lint.given;
  const std::string what =
      fmt::format("{} {}{}", std::abs(more), more > 0 ? "post" : "get", std::abs(more) == 1 ? "" : "s");
  return fmt::format("{} sets {}, which has {}, anew: {} {} forgotten", who, name_of_semaphore(*lint.semaphore),
                     lint.value, what, std::abs(more) == 1 ? "is" : "are");
}

std::string text_of(const Scenario& scenario, const Lint& lint) {
  std::string who = site_text(scenario, lint.site);
  switch (lint.kind) {
    case LintKind::lost_update: return lost_text(who, *lint.semaphore, lint.value != 0);
    case LintKind::discarded_value: return discarded_text(who, lint);
    case LintKind::displaced_wait:
      return fmt::format("{} displaces {} before that has held anything", who, site_text(scenario, *lint.displaced));
    default: return who;
  }
}

FoundLint from_report(const Scenario& scenario, LintKind kind, const tensix::Report& report) {
  const std::string who =
      fmt::format("T{}'s {}", report.thread, instruction_text(scenario, report.thread, report.entry));
  if (kind == LintKind::lost_update) {
    const bool is_post = isa::opcode_of(report.entry.word) == "SEMPOST"_op;
    return {
        .kind = kind, .text = lost_text(who, report.index, is_post), .semaphore = report.index, .cycle = report.cycle};
  }
  return {.kind = kind, .text = fmt::format("{}: {}", who, what_of(report)), .cycle = report.cycle};
}

FoundLint from_report(const Scenario& scenario, LintKind kind, const tile::TileReport& of) {
  return {.kind = kind,
          .text = fmt::format("{} at {}: {}", tile::name(of.core), location(scenario, of.core, of.report.pc),
                              what_of(scenario, of)),
          .cycle = of.report.cycle};
}

/// Reports are made once for each place.
bool is_counted(LintKind kind) {
  return kind == LintKind::lost_update || kind == LintKind::discarded_value || kind == LintKind::displaced_wait ||
         kind == LintKind::mux_drop;
}

/// "3 times, 2 of them before it was met, first in cycle 5"
std::string count_text(const FoundLint& lint) {
  if (!is_counted(lint.kind)) return fmt::format("first in cycle {}", lint.cycle);
  const bool is_one = lint.count == 1;
  std::string text = is_one ? "once" : fmt::format("{} times", lint.count);
  if (lint.kind == LintKind::displaced_wait) {
    if (lint.unmet == 0)
      text += is_one ? ", when it was met" : ", each time when it was met";
    else
      text += is_one ? ", before it was met" : fmt::format(", {} of them before it was met", lint.unmet);
  }
  return fmt::format("{}, {} cycle {}", text, is_one ? "in" : "first in", lint.cycle);
}

}  // namespace

std::vector<FoundLint> found_lints(const Scenario& scenario, const Outcome& outcome) {
  std::vector<FoundLint> found;
  std::map<std::pair<LintKind, std::string>, std::size_t> known;
  const auto add = [&](FoundLint lint) {
    const auto [at, is_new] = known.try_emplace({lint.kind, lint.text}, found.size());
    if (is_new) {
      found.push_back(std::move(lint));
      return;
    }
    FoundLint& entry = found[at->second];
    entry.count += lint.count;
    entry.unmet += lint.unmet;
    entry.cycle = std::min(entry.cycle, lint.cycle);
  };
  if (!outcome.lints) return found;
  for (const Lint& lint : outcome.lints->found())
    add({lint.kind, text_of(scenario, lint), lint.semaphore, lint.cycle, lint.count, lint.unmet});
  for (const tensix::Report& report : outcome.reports)
    if (const auto kind = insight::lint_kind_of(report)) add(from_report(scenario, *kind, report));
  for (const tile::TileReport& report : outcome.core_reports)
    if (const auto kind = insight::lint_kind_of(report.report)) add(from_report(scenario, *kind, report));
  std::ranges::sort(found, {}, [](const FoundLint& lint) { return std::tie(lint.cycle, lint.kind, lint.text); });
  return found;
}

std::string lints_text(const Style& style, const Scenario& scenario, const Outcome& outcome) {
  std::string text;
  const std::vector<FoundLint> found = found_lints(scenario, outcome);
  for (const FoundLint& lint : found)
    text += fmt::format("{} {}; {} [LINT-{}]\n", style.warning("lint:"), lint.text, count_text(lint), name(lint.kind));
  if (!found.empty())
    text += style.dim(fmt::format("tensim explain LINT-{} says more about such lints\n", name(found.front().kind)));
  return text;
}

nlohmann::json lints_json(const Scenario& scenario, const Outcome& outcome) {
  nlohmann::json list = nlohmann::json::array();
  for (const FoundLint& lint : found_lints(scenario, outcome)) {
    nlohmann::json entry{{"lint", name(lint.kind)}, {"text", lint.text}, {"cycle", lint.cycle}};
    if (is_counted(lint.kind)) entry["count"] = lint.count;
    if (lint.kind == LintKind::displaced_wait) entry["unmet"] = lint.unmet;
    if (lint.semaphore) entry["semaphore"] = *lint.semaphore;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace tensim::report
