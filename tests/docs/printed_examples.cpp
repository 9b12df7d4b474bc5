#include "tests/docs/printed_examples.hpp"

#include <fmt/format.h>

namespace tensim::test {
namespace {

constexpr std::string_view left_out = "...";

std::vector<Step> steps_of(const std::vector<std::string>& block) {
  std::vector<Step> steps;
  bool continues = false;
  for (const std::string& line : block) {
    if (continues)
      steps.back().command += "\n" + line;
    else if (line.starts_with("$ "))
      steps.push_back({line.substr(2), {}});
    else if (!steps.empty())
      steps.back().lines.push_back(line);
    const bool is_command = continues || line.starts_with("$ ");
    continues = is_command && line.ends_with('\\');
  }
  for (Step& step : steps)
    while (!step.lines.empty() && step.lines.back().empty())
      step.lines.pop_back();
  return steps;
}

bool is_same(std::string_view shown, std::string_view printed) {
  if (!shown.ends_with(left_out)) return shown == printed;
  shown.remove_suffix(left_out.size());
  return printed.starts_with(shown);
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<Example> examples_of(const std::string& file, std::string_view document) {
  std::vector<Example> examples;
  std::vector<std::string> block;
  bool is_inside = false;
  bool is_run = true;
  unsigned begin = 0;
  unsigned number = 0;
  std::string before;
  for (const std::string& line : lines_of(document)) {
    ++number;
    if (!line.starts_with("```")) {
      if (is_inside)
        block.push_back(line);
      else
        before = line;
      continue;
    }
    is_inside = !is_inside;
    if (is_inside) {
      is_run = !before.starts_with("<!-- not run: ");
      begin = number + 1;
      block.clear();
    } else if (std::vector<Step> steps = steps_of(block); !steps.empty()) {
      examples.push_back({file, begin, is_run, std::move(steps)});
    }
  }
  return examples;
}

std::string difference(const std::vector<std::string>& shown, const std::vector<std::string>& printed) {
  std::size_t at = 0;
  bool may_skip = false;
  for (const std::string& line : shown) {
    if (line == left_out) {
      may_skip = true;
      continue;
    }
    while (may_skip && at < printed.size() && !is_same(line, printed[at]))
      ++at;
    if (at == printed.size()) return fmt::format("shown, but not printed: {}", line);
    if (!is_same(line, printed[at])) return fmt::format("shown:   {}\nprinted: {}", line, printed[at]);
    ++at;
    may_skip = false;
  }
  return may_skip || at == printed.size() ? "" : fmt::format("printed, but not shown: {}", printed[at]);
}

}  // namespace tensim::test
