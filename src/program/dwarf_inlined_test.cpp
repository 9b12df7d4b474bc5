#include "program/dwarf_inlined.hpp"

#include <dwarf.h>
#include <gtest/gtest.h>

#include "tests/support/dwarf_bytes.hpp"

namespace tensim::program {
namespace {

using namespace tensim::test;

/// A unit; a function; a call in it that was replaced by code at one place; one in that, at several places, in line 9.
const Bytes abbreviations = [] {
  Bytes bytes{1, DW_TAG_compile_unit, 1, DW_AT_stmt_list, DW_FORM_sec_offset, DW_AT_low_pc, DW_FORM_addr, 0, 0};
  append(bytes, {2, DW_TAG_subprogram, 1, DW_AT_name, DW_FORM_string, 0, 0});
  append(bytes, {3, DW_TAG_inlined_subroutine, 1, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data4,
                 DW_AT_call_file, DW_FORM_data1, DW_AT_call_line, DW_FORM_data2, 0, 0});
  append(bytes, {4, DW_TAG_inlined_subroutine, 0, DW_AT_ranges, DW_FORM_sec_offset, DW_AT_call_file, DW_FORM_udata,
                 DW_AT_call_line, DW_FORM_implicit_const, 9, 0, 0});
  append(bytes, {0});
  return bytes;
}();

/// The second call's ranges are at `ranges`.
Bytes info(std::uint8_t version, std::uint32_t ranges) {
  Bytes body{version, 0};
  if (version == 5) append(body, {DW_UT_compile, 4});
  append_word(body, 0);
  if (version != 5) append(body, {4});
  append(body, {1});
  append_word(body, 0);
  append_word(body, 0x1000);
  append(body, {2});
  append(body, zero_ended("main"));
  append(body, {3});
  append_word(body, 0x1010);
  append_word(body, 0x20);
  append(body, {1, 7, 0});
  append(body, {4});
  append_word(body, ranges);
  append(body, {1, 0, 0, 0});
  Bytes unit;
  append_word(unit, static_cast<std::uint32_t>(body.size()));
  append(unit, body);
  return unit;
}

/// [0x1014, 0x1018) and [0x101C, 0x1020), from the unit's address on.
Bytes two_ranges(std::uint8_t version) {
  if (version == 5) return {DW_RLE_offset_pair, 0x14, 0x18, DW_RLE_offset_pair, 0x1C, 0x20, DW_RLE_end_of_list};
  Bytes bytes;
  for (const std::uint32_t word : {0x14U, 0x18U, 0x1CU, 0x20U, 0U, 0U})
    append_word(bytes, word);
  return bytes;
}

struct Read {
  SourceLines lines;
  std::vector<InlinedRow> rows;
};

Read read(std::uint8_t version, const Bytes& entries, const Bytes& shapes, const Bytes& ranges) {
  const Bytes names = version == 5 ? names_5("/build", "src", "a.c") : names_4("src", "a.c");
  const Bytes lines = line_table(version, names, {});
  ElfFile file;
  const auto add = [&](std::string_view name, const Bytes& bytes) {
    file.sections.push_back({.name = name, .size = static_cast<std::uint32_t>(bytes.size()), .bytes = bytes});
  };
  add(".debug_line", lines);
  add(".debug_info", entries);
  add(".debug_abbrev", shapes);
  add(version == 5 ? ".debug_rnglists" : ".debug_ranges", ranges);
  CodeRanges code;
  code.add(0x1000, 0x1000);
  code.sort();
  Read result;
  result.rows = read_inlined(file, code, result.lines);
  return result;
}

TEST(DwarfInlined, CallsOfEveryVersion) {
  for (std::uint8_t version = 4; version <= 5; ++version) {
    Read result = read(version, info(version, 0), abbreviations, two_ranges(version));
    ASSERT_EQ(result.rows.size(), 3U) << int{version};
    EXPECT_EQ(result.lines.files, std::vector<std::string>{"src/a.c"});
    const SourceMap map(
        {.symbols = {}, .files = result.lines.files, .lines = {}, .frames = {}, .inlined = result.rows});
    using Calls = std::vector<std::string>;
    EXPECT_EQ(map.inlined_at(0x1010), Calls{"src/a.c:7"});
    EXPECT_EQ(map.inlined_at(0x1014), (Calls{"src/a.c:9", "src/a.c:7"})) << "the innermost first";
    EXPECT_EQ(map.inlined_at(0x1018), Calls{"src/a.c:7"});
    EXPECT_EQ(map.inlined_at(0x101C), (Calls{"src/a.c:9", "src/a.c:7"}));
    EXPECT_EQ(map.inlined_at(0x1030), Calls{});
  }
}

TEST(DwarfInlined, WhatIsBrokenIsLeftOut) {
  const Bytes ranges = two_ranges(5);
  EXPECT_TRUE(read(5, info(6, 0), abbreviations, ranges).rows.empty()) << "a version that is none";
  EXPECT_TRUE(read(5, info(5, 0), {1, 2, 3}, ranges).rows.empty());
  EXPECT_TRUE(read(5, info(5, 0), {}, ranges).rows.empty());
  EXPECT_EQ(read(5, info(5, 1000), abbreviations, ranges).rows.size(), 1U) << "ranges behind the end";
  EXPECT_EQ(read(5, info(5, 0), abbreviations, {DW_RLE_startx_endx, 1, 2}).rows.size(), 1U);
  Bytes cut = info(5, 0);
  cut.resize(cut.size() - 8);
  EXPECT_TRUE(read(5, cut, abbreviations, ranges).rows.empty()) << "longer than its section";
  Bytes unknown = abbreviations;
  unknown[6] = 0x7F;  // a form
  EXPECT_TRUE(read(5, info(5, 0), unknown, ranges).rows.empty());
}

}  // namespace
}  // namespace tensim::program
