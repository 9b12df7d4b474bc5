#include "scenario_file.hpp"

#include <fmt/format.h>

#include "input.hpp"

namespace tensim::command {
namespace {

int load_file(void* /*context*/, const char* path, tensim_text* content) {
  return load_into(path, max_scenario_bytes, content);
}

}  // namespace

Problem read_scenario(const std::string& file, Scenario& scenario) {
  const Input input = read_input(file, max_scenario_bytes);
  if (!input.content) return {.text = fmt::format("cannot read '{}': {}", file, input.problem)};
  if (input.content->starts_with("\x7F"
                                 "ELF"))
    return {.text = fmt::format("'{}' is an ELF file, not a scenario: --brisc {} runs it on BRISC", file, file)};
  Text problem;
  const tensim_status status = tensim_scenario_parse(input.content->data(), input.content->size(), file.c_str(),
                                                     load_file, nullptr, scenario.place(), problem.place());
  if (checked(status, problem) == TENSIM_OK) return {};
  const char* place = tensim_text_file(problem.get());
  return {.text = std::string(view(problem)),
          .file = place != nullptr ? place : "",
          .line = tensim_text_line(problem.get()),
          .column = tensim_text_column(problem.get())};
}

std::optional<std::uint32_t> address_of(const Scenario& scenario, const std::string& name) {
  std::uint32_t address = 0;
  const tensim_status status = tensim_scenario_address(scenario.get(), name.c_str(), &address);
  return checked(status) == TENSIM_OK ? std::optional(address) : std::nullopt;
}

}  // namespace tensim::command
