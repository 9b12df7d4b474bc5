// A chip is never "the other one": what is written here reads the sources, and finds whoever compares a chip with one of
// those that tensim knows. One more chip would silently be on one side of that. on(arch, ...) does not compile before it has
// a value for each (arch/arch.hpp).
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "tests/places.hpp"

namespace tensim {
namespace {

namespace fs = std::filesystem;

/// `arch == Arch::wormhole`, `Arch::blackhole != arch`; a switch without default is no comparison: the compiler counts.
bool compares_a_chip(const std::string& line) {
  static const std::regex comparison(R"([=!]= *(tensim::)?Arch::|\bArch::\w+ *[=!]=)");
  return line.find("Arch::") != std::string::npos && std::regex_search(line, comparison);
}

bool is_source(const fs::path& file) {
  return (file.extension() == ".cpp" || file.extension() == ".hpp") && !file.stem().string().ends_with("_test");
}

TEST(Sources, NobodyComparesAChip) {
  const fs::path root = TENSIM_SOURCES;
  unsigned files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    const std::string name = entry.path().lexically_relative(root).generic_string();
    if (name == "arch/arch.hpp") continue;
    ++files;
    std::ifstream lines(entry.path());
    std::string line;
    for (unsigned number = 1; std::getline(lines, line); ++number)
      EXPECT_FALSE(compares_a_chip(line))
          << name << ":" << number << ": " << line << "\nname the difference: on(arch, true, false)";
  }
  EXPECT_GT(files, 200U);
}

TEST(Sources, AComparisonOfAChipIsRecognised) {
  for (const char* line : {"if (arch == Arch::wormhole) return 0;", "return tile.arch != Arch::blackhole;",
                           "if constexpr (Arch::wormhole == arch) {", "arch == tensim::Arch::blackhole ? 1 : 2"})
    EXPECT_TRUE(compares_a_chip(line)) << line;
  for (const char* line :
       {"case Arch::wormhole: return 0;", "const Arch arch = Arch::wormhole;", "return on(arch, true, false);",
        "field_of(Arch::blackhole, \"PACR\", \"\", \"Last\").low == 3"})
    EXPECT_FALSE(compares_a_chip(line)) << line;
}

}  // namespace
}  // namespace tensim
