#include "insight/order_rules.hpp"

#include <algorithm>

namespace tensim::insight {

std::span<const OrderRule> order_rules() {
  return table::order_rules;
}

std::optional<RuleNumber> find_rule(std::string_view id) {
  for (std::size_t i = 0; i < table::order_rules.size(); ++i)
    if (table::order_rules[i].id == id) return static_cast<RuleNumber>(i);
  return std::nullopt;
}

RuleSeverities::RuleSeverities() {
  static_assert(table::order_rules.size() <= most_rules);
  for (std::size_t i = 0; i < table::order_rules.size(); ++i)
    severities_[i] = table::order_rules[i].severity;
}

bool RuleSeverities::read(std::string_view text) {
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const std::size_t equals = one.find('=');
    const auto rule = find_rule(one.substr(0, equals));
    if (!rule || equals == std::string_view::npos) return false;
    const auto* const row = std::ranges::find(severity_rows, one.substr(equals + 1), &NamedRow<Severity>::name);
    if (row == severity_rows.end()) return false;
    set(*rule, row->value);
  }
  return true;
}

}  // namespace tensim::insight
