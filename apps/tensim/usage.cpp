#include "usage.hpp"

#include <vector>

#include <fmt/format.h>

#include "handle.hpp"

namespace tensim::command {
namespace {

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  std::vector<const char*> names;
  names.reserve(known.size());
  for (const std::string& name : known)
    names.push_back(name.c_str());
  Text text;
  checked(tensim_suggest(word.c_str(), names.data(), names.size(), text.place()));
  return std::string(view(text));
}

void add_options(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
}

/// The sub-command that was called; null if none was.
const CLI::App* called(const CLI::App& app) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  return commands.empty() ? nullptr : commands.front();
}

std::string unknown_option(const CLI::App& app, const std::string& argument) {
  const std::string word = argument.substr(0, argument.find('='));
  std::vector<std::string> names;
  add_options(app, names);
  const CLI::App* command = called(app);
  if (command != nullptr) add_options(*command, names);
  return fmt::format("{} has no option '{}'{}", command != nullptr ? command->get_name() : "tensim", word,
                     suggestion(word, names));
}

}  // namespace

std::string unknown_subcommand(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({}))
    names.push_back(command->get_name());
  return fmt::format("unknown subcommand '{}'{}", word, suggestion(word, names));
}

namespace {

/// Flags that may be given a file do not take the next word for it.
std::string flags_with_files(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options())
    if (option->get_expected_max() == 0 && option->count() != 0 &&
        option->get_description().find(option->get_name() + "=FILE") != std::string::npos)
      text += fmt::format("; a file for {0} is written {0}=FILE", option->get_name());
  return text;
}

std::string one_too_many(const CLI::App& command, const std::string& argument) {
  std::string taken;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional() && option->count() != 0)
      taken += fmt::format("{}{} is '{}'", taken.empty() ? "" : ", ", option->get_name(), option->results().front());
  return fmt::format("'{}' is one argument too many{}{}", argument, taken.empty() ? "" : ": " + taken,
                     flags_with_files(command));
}

}  // namespace

std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  // What the parser could not place is the likely reason for whatever it complains about.
  for (const std::string& argument : app.remaining(true)) {
    if (argument.size() > 1 && argument.front() == '-') return unknown_option(app, argument);
    return called(app) == nullptr ? unknown_subcommand(app, argument) : one_too_many(*called(app), argument);
  }
  return error.what();
}

}  // namespace tensim::command
