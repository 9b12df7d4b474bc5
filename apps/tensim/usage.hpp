// What is wrong with a command line, said better than the parser can: it does not look for what was meant.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tensim::command {

/// "unknown subcommand 'rnu'; did you mean 'run'?"
std::string unknown_subcommand(const CLI::App& app, const std::string& word);

/// What to say about `error`, after the parser has given up on these arguments.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tensim::command
