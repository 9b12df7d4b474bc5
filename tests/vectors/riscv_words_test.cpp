// The RISC-V decoder and disassembler against GNU binutils; README.md says where riscv_words.tsv is from.
#include <array>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "riscv/decode.hpp"
#include "riscv/disassemble.hpp"
#include "riscv/table.hpp"
#include "tests/places.hpp"

namespace tensim::riscv {
namespace {

struct Line {
  std::uint32_t pc = 0;
  Word word = 0;
  std::string extension;
  std::string text;
};

std::vector<Line> read_lines() {
  std::ifstream file(TENSIM_VECTORS "/riscv_words.tsv");
  EXPECT_TRUE(file);
  std::vector<Line> lines;
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with('#')) continue;
    std::istringstream columns(text);
    std::array<std::string, 4> column;
    for (std::string& one : column)
      std::getline(columns, one, '\t');
    lines.push_back({static_cast<std::uint32_t>(std::stoul(column[0], nullptr, 16)),
                     static_cast<Word>(std::stoul(column[1], nullptr, 16)), column[2], column[3]});
  }
  return lines;
}

TEST(RiscvWords, BlackholeReadsThemAsBinutilsDoes) {
  const auto lines = read_lines();
  ASSERT_GT(lines.size(), 500U);
  for (const Line& line : lines) {
    EXPECT_EQ(disassemble(Arch::blackhole, line.word, line.pc), line.text);
    EXPECT_EQ(name(row(decode(Arch::blackhole, line.word).op).extension), line.extension) << line.text;
  }
}

TEST(RiscvWords, WormholeHasOnlyTheBaseAndM) {
  for (const Line& line : read_lines()) {
    const bool has = line.extension == "i" || line.extension == "m" || line.extension == "zifencei";
    EXPECT_EQ(decode(Arch::wormhole, line.word).op, has ? decode(Arch::blackhole, line.word).op : Op::undefined)
        << line.text;
  }
}

TEST(RiscvWords, TheListHasEveryInstructionThatBinutilsKnows) {
  std::set<Op> seen;
  for (const Line& line : read_lines())
    seen.insert(decode(Arch::blackhole, line.word).op);
  for (const Row& row : rows) {
    const bool unknown_to_binutils =
        row.op == Op::grevi || row.extension == Extension::v || row.op == Op::ttinsn || row.op == Op::undefined;
    EXPECT_NE(seen.contains(row.op), unknown_to_binutils) << row.name;
  }
}

}  // namespace
}  // namespace tensim::riscv
