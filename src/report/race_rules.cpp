#include "report/race_rules.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "insight/order_rules.hpp"
#include "insight/race_examples.hpp"

namespace tensim::report {

using insight::OrderRule;
using insight::RaceExample;
using insight::RuleKind;

namespace {

constexpr std::string_view prefix = "race-";

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& letter : small)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return small;
}

const RaceExample* example_of(const OrderRule& rule) {
  const auto* const found = std::ranges::find(insight::race_examples, rule.id, &RaceExample::rule);
  return found == insight::race_examples.end() ? nullptr : found;
}

std::string chips_of(const OrderRule& rule) {
  std::string text;
  for (const Arch arch : all_archs)
    if (rule.archs.contains(arch)) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(arch));
  return text;
}

/// What a pair is reported as that the rule decides.
std::string severity_text(const OrderRule& rule) {
  if (rule.kind == RuleKind::orders)
    return "puts pairs in order; --race-rule ID=warning or ID=error reports pairs that nothing else does";
  return fmt::format("pairs without it: {}", name(rule.severity));
}

std::string indented(std::string_view lines, std::string_view by) {
  std::string text(by);
  for (const char letter : lines) {
    text += letter;
    if (letter == '\n') text += by;
  }
  return text + "\n";
}

std::string to_text(const Style& style, const OrderRule& rule) {
  std::string text = fmt::format("{}  {}\n", style.strong(fmt::format("RACE-{}", rule.id)), rule.text);
  text += fmt::format("  {}; {}; {}\n", name(rule.certainty), chips_of(rule), severity_text(rule));
  text += fmt::format("  {}\n", style.dim(rule.source));
  if (const RaceExample* example = example_of(rule))
    text += fmt::format("\n  raced:\n{}\n  in order:\n{}", indented(example->wrong, "    "),
                        indented(example->right, "    "));
  return text;
}

nlohmann::json to_json(const OrderRule& rule) {
  nlohmann::json document{{"schema", "tensim.explain_race/1"},
                          {"rule", rule.id},
                          {"text", rule.text},
                          {"certainty", name(rule.certainty)},
                          {"severity", name(rule.severity)},
                          {"orders", rule.kind == RuleKind::orders},
                          {"source", rule.source}};
  if (const RaceExample* example = example_of(rule))
    document["example"] = {{"raced", example->wrong}, {"in_order", example->right}};
  return document;
}

}  // namespace

bool names_race_rule(std::string_view what) {
  return in_small_letters(what).starts_with(prefix);
}

Explained explain_race_rule(std::string_view what, Format format) {
  const std::string id = in_small_letters(what).substr(prefix.size());
  const auto found = insight::find_rule(id);
  if (!found) {
    std::string known;
    for (const OrderRule& rule : insight::order_rules())
      known += fmt::format("{}RACE-{}", known.empty() ? "" : ", ", rule.id);
    return ExplainProblem{fmt::format("there is no rule '{}': there are {}", what, known)};
  }
  const OrderRule& rule = insight::order_rules()[*found];
  return format == Format::json ? document_text(to_json(rule)) : to_text(style_of(format), rule);
}

std::string race_rules_page() {
  std::string text =
      "| rule | chips | certainty | pairs without it | what it says | source |\n|---|---|---|---|---|---|\n";
  for (const OrderRule& rule : insight::order_rules())
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", rule.id, chips_of(rule), name(rule.certainty),
                        rule.kind == RuleKind::orders ? "(it orders)" : name(rule.severity), rule.text, rule.source);
  text += "\n## Examples\n";
  for (const OrderRule& rule : insight::order_rules())
    if (const RaceExample* example = example_of(rule))
      text += fmt::format("\n**RACE-{}**\n\n```\n{}\n```\n\nin order:\n\n```\n{}\n```\n", rule.id, example->wrong,
                          example->right);
  return text;
}

}  // namespace tensim::report
