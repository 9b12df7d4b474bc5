// What the documents show of the command: fenced blocks with lines that begin with "$ ". Behind each such line stands what
// is printed; behind "$ cat > FILE", what is typed into the file. A line "..." stands for lines that are left out, and "..."
// at the end of a line for its rest. A block that cannot be run has `<!-- not run: why -->` on the line before it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tensim::test {

struct Step {
  std::string command;             // without "$ "; continued lines are part of it
  std::vector<std::string> lines;  // what stands behind it
};

struct Example {
  std::string file;
  unsigned line = 0;  // of its first command
  bool is_run = true;
  std::vector<Step> steps;
};

/// The examples of a document, in its order.
std::vector<Example> examples_of(const std::string& file, std::string_view document);

/// What differs first between what is shown and what was printed; empty if nothing does.
std::string difference(const std::vector<std::string>& shown, const std::vector<std::string>& printed);

std::vector<std::string> lines_of(std::string_view text);

}  // namespace tensim::test
