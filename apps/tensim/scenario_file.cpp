#include "scenario_file.hpp"

#include <fmt/format.h>

#include "input.hpp"

namespace tensim::command {
namespace {

isa::LoadedText load_file(const std::string& path) {
  Input included = read_input(path, max_scenario_bytes);
  return {std::move(included.content), std::move(included.problem)};
}

}  // namespace

std::variant<host::Scenario, std::string> scenario_of_file(const std::string& file) {
  const Input input = read_input(file, max_scenario_bytes);
  if (!input.content) return fmt::format("cannot read '{}': {}", file, input.problem);
  return host::parse_scenario(*input.content, file, load_file);
}

}  // namespace tensim::command
