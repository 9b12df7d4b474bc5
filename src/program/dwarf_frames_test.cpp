#include "program/dwarf_frames.hpp"

#include <gtest/gtest.h>

namespace tensim::program {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Kind = FrameRow::Rule::Kind;

void append_word(Bytes& bytes, std::uint32_t word) {
  for (unsigned i = 0; i < 4; ++i)
    bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
}

void append_entry(Bytes& section, std::uint32_t id, const Bytes& body) {
  append_word(section, static_cast<std::uint32_t>(body.size() + 4));
  append_word(section, id);
  section.insert(section.end(), body.begin(), body.end());
}

/// One function of 0x40 bytes at 0x1000. Code is counted in 1, data in -4; at first the frame is at sp.
Bytes debug_frame(const Bytes& program) {
  Bytes section;
  append_entry(section, ~0U, {3, 0, 1, 0x7C, 1, 0x0C, 2, 0});
  Bytes body;
  append_word(body, 0x1000);
  append_word(body, 0x40);
  body.insert(body.end(), program.begin(), program.end());
  append_entry(section, 0, body);
  return section;
}

struct Read {
  std::vector<FrameRow> rows;
  std::vector<std::string> notes;
};

Read read(const Bytes& section, std::string_view name = ".debug_frame") {
  ElfFile file;
  file.sections.push_back(
      {.name = name, .address = 0x1800, .size = static_cast<std::uint32_t>(section.size()), .bytes = section});
  CodeRanges code;
  code.add(0x1000, 0x1000);
  code.sort();
  Read result;
  result.rows = read_frames(file, code, result.notes);
  return result;
}

TEST(DwarfFrames, RowsFollowTheProgram) {
  // 4: frame at sp+16; 8: ra at -4, s0 at -8; 12: frame at s0; all remembered, dropped at 0x20 and back at 0x24.
  const Read result = read(debug_frame(
      {0x44, 0x0E, 16, 0x44, 0x81, 1, 0x88, 2, 0x44, 0x0C, 8, 0, 0x54, 0x0A, 0xC1, 0xC8, 0x0C, 2, 0, 0x44, 0x0B}));
  EXPECT_EQ(result.notes, std::vector<std::string>());
  ASSERT_EQ(result.rows.size(), 6U);
  EXPECT_EQ(result.rows[0].end, 0x1004U);
  EXPECT_EQ(result.rows[1].frame_offset, 16);
  EXPECT_EQ(result.rows[1].return_address.kind, Kind::same);
  EXPECT_EQ(result.rows[2].return_address.offset, -4);
  EXPECT_EQ(result.rows[2].s0.offset, -8);
  EXPECT_EQ(result.rows[3].frame_register, 8);
  EXPECT_EQ(result.rows[4].begin, 0x1020U);
  EXPECT_EQ(result.rows[4].return_address.kind, Kind::same);
  EXPECT_EQ(result.rows[4].frame_register, 2);
  EXPECT_EQ(result.rows[5].begin, 0x1024U);
  EXPECT_EQ(result.rows[5].end, 0x1040U);
  EXPECT_EQ(result.rows[5].s0.kind, Kind::saved);
}

TEST(DwarfFrames, AddressesMayBeRelativeToThemselves) {
  Bytes section;
  append_entry(section, 0, {1, 'z', 'R', 0, 1, 0x7C, 1, 1, 0x1B, 0x0C, 2, 0});
  const auto offset = static_cast<std::uint32_t>(section.size());
  Bytes body;
  append_word(body, 0x1100U - (0x1800 + offset + 8));
  append_word(body, 0x10);
  body.push_back(0);
  append_entry(section, offset + 4, body);
  const Read result = read(section, ".eh_frame");
  EXPECT_EQ(result.notes, std::vector<std::string>());
  ASSERT_EQ(result.rows.size(), 1U);
  EXPECT_EQ(result.rows[0].begin, 0x1100U);
  EXPECT_EQ(result.rows[0].end, 0x1110U);
}

TEST(DwarfFrames, ExpressionsAreNotEvaluated) {
  const Read result = read(debug_frame({0x0F, 2, 0x30, 0x31, 0x10, 1, 1, 0x30}));
  ASSERT_EQ(result.rows.size(), 1U);
  EXPECT_EQ(result.rows[0].frame_register, FrameRow::no_register);
  EXPECT_EQ(result.rows[0].return_address.kind, Kind::unknown);
}

TEST(DwarfFrames, WhatIsBrokenIsLeftOutAndNoted) {
  const auto rows = [](const Bytes& program) {
    const Read result = read(debug_frame(program));
    EXPECT_EQ(result.notes.size(), 1U);
    return result.rows.size();
  };
  EXPECT_EQ(rows({0x44, 0x0B}), 1U);              // nothing to restore
  EXPECT_EQ(rows({0x44, 0x3F}), 1U);              // no such operation
  EXPECT_EQ(rows({0x44, 0x04, 1}), 1U);           // ends within an operand
  EXPECT_EQ(rows(Bytes(100, 0x0A)), 0U);          // remembers without end
  EXPECT_EQ(rows({0x0F, 0xFF, 0xFF, 0x7F}), 0U);  // an expression longer than the section
  Bytes no_common;
  append_entry(no_common, 0x1234, Bytes(8));
  EXPECT_EQ(read(no_common).notes.size(), 1U);
}

TEST(DwarfFrames, RowsEndWithTheirFunction) {
  const Read result = read(debug_frame({0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0x44, 0x44}));
  ASSERT_EQ(result.rows.size(), 1U);
  EXPECT_EQ(result.rows[0].end, 0x1040U);
}

}  // namespace
}  // namespace tensim::program
