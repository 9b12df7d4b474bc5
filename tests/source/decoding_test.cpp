// isa/table is the only place that knows an encoding: what is written here reads the sources, and finds whoever takes an
// instruction word apart by shifts and masks of his own instead of asking for a field (tensix/registers/fields.hpp).
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/places.hpp"

namespace tensim {
namespace {

namespace fs = std::filesystem;

/// Folders whose words are not Tensix instructions, or whose business encodings are.
constexpr std::array<std::string_view, 4> other_words{"isa", "number", "program", "riscv"};

struct Allowed {
  std::string_view file;
  std::string_view reason;
};
constexpr std::array allowed{
    Allowed{"debug/memory.cpp", "bytes of a word of memory"},
    Allowed{"reference/server.cpp", "a command of the debug registers"},
    Allowed{"tensix/units/packers/plan.cpp", "an address of L1 in words of 16 bytes"},
    Allowed{"tensix/units/vector/fields.hpp", "a sign, extended from where the field says"},
    Allowed{"tensix/units/vector/rows.hpp", "places by opcode, from the fields"},
    Allowed{"tile/devices.cpp", "bytes of a register"},
    Allowed{"tile/tdma_risc.cpp", "commands of TDMA-RISC"},
    Allowed{"tile/tdma_risc.hpp", "commands of TDMA-RISC"},
};

bool is_allowed(const std::string& file) {
  return std::ranges::any_of(allowed, [&](const Allowed& row) { return row.file == file; });
}

/// `word >> 23U`, `entry.word & 0xFFFFU`, `word() << 8U`; not `word & mask`, whose mask somebody named.
bool takes_a_word_apart(const std::string& line) {
  static const std::regex shifted(R"(\bword(\(\))? *(>>|<<) *[\w(])");
  static const std::regex masked(R"(\bword(\(\))? *& *\(?[0-9])");
  if (line.find("word") == std::string::npos) return false;
  return std::regex_search(line, shifted) || std::regex_search(line, masked);
}

std::vector<std::string> decoded_by_hand(const fs::path& source, const std::string& name) {
  std::vector<std::string> found;
  std::ifstream lines(source);
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number)
    if (takes_a_word_apart(line)) found.push_back(name + ":" + std::to_string(number) + ": " + line);
  return found;
}

bool is_source(const fs::path& file) {
  return (file.extension() == ".cpp" || file.extension() == ".hpp") && !file.stem().string().ends_with("_test");
}

TEST(Sources, NobodyTakesAnInstructionWordApartByHand) {
  const fs::path root = TENSIM_SOURCES;
  unsigned files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || !is_source(entry.path())) continue;
    const fs::path relative = entry.path().lexically_relative(root);
    if (std::ranges::count(other_words, relative.begin()->string()) != 0) continue;
    ++files;
    if (is_allowed(relative.generic_string())) continue;
    for (const std::string& place : decoded_by_hand(entry.path(), relative.generic_string()))
      ADD_FAILURE() << place << "\ntake it by name: field_of(\"SEMPOST\", \"\", \"sem\").get(word)";
  }
  EXPECT_GT(files, 200U);
}

TEST(Sources, AShiftOfAWordIsRecognised) {
  for (const char* line : {"return word >> 23U & 1U;", "(entry.word & 0xFFFFU) == mutex", "if ((word & 3U) == 0)",
                           "(find.word() >> position & 1U)", "static_cast<std::int32_t>(word << 8U)"})
    EXPECT_TRUE(takes_a_word_apart(line)) << line;
  for (const char* line : {"sync_words::mutex.get(entry.word) == mutex", "(word & flip_bits) != 0", "stream << word;",
                           "config_word >> 3U", "if (word && other)", "semaphores.get(word) >> semaphore & 1U"})
    EXPECT_FALSE(takes_a_word_apart(line)) << line;
}

}  // namespace
}  // namespace tensim
