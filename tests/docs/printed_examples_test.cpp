// The documents show what the command prints.
#include "tests/docs/printed_examples.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/places.hpp"
#include "tests/support/command.hpp"

namespace tensim::test {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path root = fs::path(TENSIM_DATA).parent_path();

/// README.md, guest/README.md and the pages of docs/.
std::vector<fs::path> documents() {
  std::vector<fs::path> files{root / "README.md", root / "guest/README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::vector<Example> all_examples() {
  std::vector<Example> examples;
  for (const fs::path& path : documents()) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    for (Example& example : examples_of(fs::relative(path, root).string(), text))
      examples.push_back(std::move(example));
  }
  return examples;
}

/// A directory that looks like the repository with its build/, and into which an example may write.
class Workplace {
 public:
  Workplace() : path_(fs::path(testing::TempDir()) / ("tensim_docs." + std::to_string(getpid()))) {
    fs::create_directory(path_);
    for (const auto& entry : fs::directory_iterator(root))
      if (entry.path().filename() != "build" && entry.path().filename() != "examples")
        fs::create_symlink(entry.path(), path_ / entry.path().filename());
    fs::copy(root / "examples", path_ / "examples", fs::copy_options::recursive);  // scenarios say ../../../build
    fs::create_directory_symlink(TENSIM_LIBRARIES, path_ / "build");
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  /// What the shell prints. `before` sets variables.
  Lines run(const std::string& before, const std::string& command) const {
    const TemporaryFile script("tensim_docs.sh", "cd " + path_.string() + "\n" + before + command + "\n");
    std::string output;
    std::FILE* pipe = popen(("sh " + script.path() + " 2>&1 < /dev/null").c_str(), "r");
    char buffer[4096];
    while (const std::size_t got = std::fread(buffer, 1, sizeof buffer, pipe))
      output.append(buffer, got);
    pclose(pipe);
    return lines_of(output);
  }

  void write(const std::string& name, const Lines& lines) const {
    std::ofstream file(path_ / name, std::ios::binary);
    for (const std::string& line : lines)
      file << line << "\n";
  }

 private:
  fs::path path_;
};

void check(const Workplace& place, const Example& example) {
  constexpr std::string_view typed = "cat > ";
  std::string variables;
  for (const Step& step : example.steps) {
    const bool sets_variable = step.command.find(' ') == std::string::npos && contains(step.command, "=");
    if (sets_variable)
      variables += step.command + "\n";
    else if (step.command.starts_with(typed))
      place.write(step.command.substr(typed.size()), step.lines);
    else
      EXPECT_EQ(difference(step.lines, place.run(variables, step.command)), "")
          << example.file << ":" << example.line << ": $ " << step.command;
  }
}

TEST(PrintedExamples, AreWhatTheCommandPrints) {
  const Workplace place;
  unsigned run = 0;
  for (const Example& example : all_examples()) {
    const bool needs_guests =
        std::ranges::any_of(example.steps, [](const Step& step) { return contains(step.command, "examples/guest"); });
    if (!example.is_run || (needs_guests && TENSIM_HAS_GUEST_COMPILER == 0)) continue;
    check(place, example);
    ++run;
  }
  EXPECT_GE(run, TENSIM_HAS_GUEST_COMPILER == 0 ? 6U : 8U);
}

TEST(PrintedExamples, ThatCannotBeRunAreMarkedAndFew) {
  const std::vector<Example> examples = all_examples();
  EXPECT_EQ(std::ranges::count(examples, false, &Example::is_run), 2) << "the two shells of docs/debugger.md";
}

TEST(PrintedExamples, LeftOutLinesAndRestsOfLinesAreAnything) {
  EXPECT_EQ(difference({"a", "...", "d"}, {"a", "b", "c", "d"}), "");
  EXPECT_EQ(difference({"a", "..."}, {"a", "b"}), "");
  EXPECT_EQ(difference({"a..."}, {"abc"}), "");
  EXPECT_EQ(difference({"a", "b"}, {"a", "c"}), "shown:   b\nprinted: c");
  EXPECT_EQ(difference({"...", "d"}, {"a"}), "shown, but not printed: d");
  EXPECT_EQ(difference({"a"}, {"a", "b"}), "printed, but not shown: b");
}

TEST(PrintedExamples, AreReadWithTheirCommands) {
  const auto examples = examples_of("x.md",
                                    "text\n```\nmake\n```\n\n```\n$ P=1\n$ a \\\n  b\nout\n\n$ c\n```\n"
                                    "<!-- not run: no gdb -->\n```\n$ gdb\n```\n");
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0].line, 7U);
  ASSERT_EQ(examples[0].steps.size(), 3U);
  EXPECT_EQ(examples[0].steps[1].command, "a \\\n  b");
  EXPECT_EQ(examples[0].steps[1].lines, Lines{"out"});
  EXPECT_TRUE(examples[0].is_run);
  EXPECT_FALSE(examples[1].is_run);
}

}  // namespace
}  // namespace tensim::test
