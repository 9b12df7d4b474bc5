#include "program/dwarf_lines.hpp"

#include <gtest/gtest.h>

#include "tests/support/dwarf_bytes.hpp"

namespace tensim::program {
namespace {

using namespace tensim::test;

Bytes set_address(std::uint32_t address) {
  Bytes bytes{0, 5, 2};
  append_word(bytes, address);
  return bytes;
}

const Bytes end_sequence{0, 1, 1};

/// Two lines from an address on: line 2 for one instruction, then line 5 for two.
Bytes two_lines(std::uint32_t address) {
  Bytes program = set_address(address);
  append(program, {10 + 1, 10 + 4 + 3, 2, 2});
  append(program, end_sequence);
  return program;
}

struct Read {
  SourceLines lines;
  std::vector<std::string> notes;

  [[nodiscard]] std::vector<std::uint32_t> numbers() const {
    std::vector<std::uint32_t> result;
    for (const LineRow& row : lines.rows)
      result.push_back(row.line);
    return result;
  }
};

Read read(const Bytes& section) {
  ElfFile file;
  file.sections.push_back(
      {.name = ".debug_line", .size = static_cast<std::uint32_t>(section.size()), .bytes = section});
  CodeRanges code;
  code.add(0x1000, 0x1000);
  code.sort();
  Read result;
  result.lines = read_lines(file, code, result.notes);
  return result;
}

TEST(DwarfLines, RowsOfEveryVersion) {
  for (std::uint8_t version = 2; version <= 5; ++version) {
    const Bytes names = version == 5 ? names_5("/build", "src", "a.c") : names_4("src", "a.c");
    const Read result = read(line_table(version, names, two_lines(0x1000)));
    EXPECT_EQ(result.notes, std::vector<std::string>());
    ASSERT_EQ(result.numbers(), (std::vector<std::uint32_t>{2, 5, 0})) << int{version};
    EXPECT_EQ(result.lines.rows[1].address, 0x1004U);
    EXPECT_EQ(result.lines.rows[2].address, 0x100CU);
    EXPECT_EQ(result.lines.files, std::vector<std::string>{"src/a.c"});
  }
}

TEST(DwarfLines, WhereItWasBuiltIsNotTold) {
  const auto name = [](const Bytes& names, std::uint8_t version) {
    return read(line_table(version, names, two_lines(0x1000))).lines.files.at(0);
  };
  EXPECT_EQ(name(names_5("/build/x", "/build/x/src", "a.c"), 5), "src/a.c");
  EXPECT_EQ(name(names_5("/build/x", "/other/src", "a.c"), 5), "a.c");
  EXPECT_EQ(name(names_5("/build/x", "src", "/other/a.c"), 5), "a.c");
  EXPECT_EQ(name(names_4("/usr/include", "a.h"), 4), "a.h");
  EXPECT_EQ(name(names_4("lib", "\x1b[31m.c"), 4), "lib/\\x1b[31m.c");
}

TEST(DwarfLines, FunctionsTheLinkerDroppedHaveNoLines) {
  Bytes program = two_lines(0);
  append(program, two_lines(0x1800));
  EXPECT_EQ(read(line_table(4, names_4("src", "a.c"), program)).lines.rows.at(0).address, 0x1800U);
}

TEST(DwarfLines, WhatIsBrokenIsLeftOutAndNoted) {
  const Bytes names = names_4("src", "a.c");
  const auto expect_nothing = [](const Bytes& section) {
    const Read result = read(section);
    EXPECT_TRUE(result.lines.rows.empty());
    EXPECT_EQ(result.notes.size(), 1U);
  };
  expect_nothing(line_table(4, names, two_lines(0x1000), 0));  // would divide by 0
  expect_nothing(line_table(6, names, two_lines(0x1000)));
  expect_nothing(line_table(4, names, {0, 0}));                                // an opcode of no bytes
  expect_nothing(line_table(4, names, {0, 0xFF, 0xFF, 0xFF, 0x7F, 1}));        // and of too many
  expect_nothing(line_table(5, {0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0, 0}, {}));  // 2^32 directories of no bytes
  expect_nothing(line_table(5, {1, 1, 0x77, 1, 0, 0, 0}, two_lines(0x1000)));  // a form that is none
  expect_nothing({0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0});            // 64-bit DWARF
  Bytes good_then_bad = line_table(4, names, two_lines(0x1000));
  append(good_then_bad, line_table(4, names, {0, 0}));
  append(good_then_bad, line_table(4, names, two_lines(0x1100)));
  EXPECT_EQ(read(good_then_bad).lines.rows.size(), 6U);
}

}  // namespace
}  // namespace tensim::program
