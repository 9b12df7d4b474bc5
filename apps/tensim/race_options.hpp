// Options of commands that check for races (docs/races.md).
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "commands.hpp"
#include "input.hpp"

namespace tensim::command {

inline constexpr ValueForm rule_form{'=', 1, "ID=off, ID=warning or ID=error, with a rule of docs/races.md"};

class RaceOptions {
 public:
  void add_to(CLI::App& command) {
    command.add_option("--check", checks_, "races: operations that nothing orders, even where the result was right")
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"races"}));
    add_repeatable(command, "--race-rule", rules_, rule_form, "how pairs that a rule decides are reported: 19a=error");
    command.add_option("--suppress", suppressions_, "a file that names races which are meant");
  }

  bool is_wanted() const { return !checks_.empty(); }
  /// Reads the file. Empty, or why it cannot be.
  std::string prepare() {
    joined_rules_ = fmt::format("{}", fmt::join(rules_, ","));
    if (suppressions_.empty()) return "";
    meant_ = read_input(suppressions_);
    return meant_.content ? "" : fmt::format("cannot read '{}': {}", suppressions_, meant_.problem);
  }
  /// What the C interface is asked for; these must outlive the call.
  template <class Options>
  void hand_to(Options& options) const {
    options.check_races = is_wanted() ? 1 : 0;
    options.race_rules = joined_rules_.c_str();
    if (meant_.content) options.race_suppressions = meant_.content->c_str();
  }
  /// What was wrong, if the C interface has refused them.
  std::string problem() const {
    if (!meant_.content) return fmt::format("--race-rule '{}': expected {}", joined_rules_, rule_form.expected);
    return fmt::format("--race-rule '{}', --suppress '{}': expected {}; and lines SECOND / FIRST", joined_rules_,
                       suppressions_, rule_form.expected);
  }

 private:
  std::vector<std::string> checks_;  // what to check for beside the outcome
  std::vector<std::string> rules_;   // ID=SEVERITY
  std::string suppressions_;         // file
  std::string joined_rules_;
  Input meant_;
};

}  // namespace tensim::command
