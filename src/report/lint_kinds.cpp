#include "report/lint_kinds.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insight/lint_kinds.hpp"

namespace tensim::report {

using insight::LintRow;

namespace {

constexpr std::string_view prefix = "lint-";

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return small;
}

std::string chips_of(const LintRow& row) {
  std::string text;
  for (const Arch arch : all_archs)
    if (row.archs.contains(arch)) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(arch));
  return text;
}

std::string indented(std::string_view lines) {
  constexpr std::string_view by = "    ";
  std::string text(by);
  for (const char letter : lines) {
    text += letter;
    if (letter == '\n') text += by;
  }
  return text + "\n";
}

std::string to_text(const Style& style, const LintRow& row) {
  return fmt::format("{}  {}\n  {}\n  {}\n\n  for example:\n{}\n  better:\n{}",
                     style.strong(fmt::format("LINT-{}", row.name)), row.text, chips_of(row), style.dim(row.source),
                     indented(row.wrong), indented(row.right));
}

nlohmann::json to_json(const LintRow& row) {
  nlohmann::json chips = nlohmann::json::array();
  for (const Arch arch : all_archs)
    if (row.archs.contains(arch)) chips.push_back(name(arch));
  return {{"schema", "tensim.explain_lint/1"},
          {"lint", row.name},
          {"text", row.text},
          {"chips", std::move(chips)},
          {"source", row.source},
          {"example", {{"wrong", row.wrong}, {"better", row.right}}}};
}

}  // namespace

bool names_lint(std::string_view what) {
  return in_small_letters(what).starts_with(prefix);
}

Explained explain_lint(std::string_view what, Format format) {
  const std::string id = in_small_letters(what).substr(prefix.size());
  const auto* const row = std::ranges::find(insight::lint_rows, id, &LintRow::name);
  if (row != insight::lint_rows.end())
    return format == Format::json ? document_text(to_json(*row)) : to_text(style_of(format), *row);
  std::string known;
  for (const LintRow& each : insight::lint_rows)
    known += fmt::format("{}LINT-{}", known.empty() ? "" : ", ", each.name);
  return ExplainProblem{fmt::format("there is no lint '{}': there are {}", what, known)};
}

std::string lint_kinds_page() {
  std::string text =
      "## Lints\n\n"
      "Beside races the check says what was lost in this run, or read too early. A lint has no severity and never "
      "changes the\nexit code. Some are also notes of a run that is not checked; with the check they stand in one "
      "list, "
      "in JSON `lints`.\n"
      "If a run deadlocks, a semaphore is waited for and one of its updates was lost or forgotten, or MopCfg or "
      "configuration of\n"
      "the stuck thread is raced on, the report of the deadlock begins with that (`look here first`).\n\n"
      "| lint | chips | what it says | source |\n|---|---|---|---|\n";
  for (const LintRow& row : insight::lint_rows)
    text += fmt::format("| {} | {} | {} | {} |\n", row.name, chips_of(row), row.text, row.source);
  for (const LintRow& row : insight::lint_rows)
    text += fmt::format("\n**LINT-{}**\n\n```\n{}\n```\n\nbetter:\n\n```\n{}\n```\n", row.name, row.wrong, row.right);
  return text;
}

}  // namespace tensim::report
