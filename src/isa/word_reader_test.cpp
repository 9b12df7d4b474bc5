#include "isa/word_reader.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "isa/hex_word.hpp"

namespace tensim::isa {
namespace {

std::vector<std::uint32_t> all_of(WordReader reader) {
  std::vector<std::uint32_t> words;
  while (const auto word = reader.next())
    words.push_back(*word);
  return words;
}

TEST(WordReader, HexadecimalWordsStandApartAndCommentsAreNone) {
  EXPECT_EQ(all_of({"0xA4000008, 1\t2 # 3\n#4\n5", WordReader::Format::hex}),
            (std::vector<std::uint32_t>{0xA4000008, 1, 2, 5}));
}

TEST(WordReader, WhatIsNoWordIsNamedWithItsLine) {
  WordReader reader("1\n123456789", WordReader::Format::hex);
  EXPECT_EQ(reader.next(), 1U);
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_EQ(reader.problem(), "line 2: '123456789' is not a 32-bit hexadecimal word");
}

TEST(WordReader, BinaryWordsAreLittleEndianAndATailIsLeftOut) {
  EXPECT_EQ(all_of({"\x01\x02\x03\x04\x05", WordReader::Format::binary}), std::vector<std::uint32_t>{0x04030201});
}

TEST(HexWord, SaysWhetherItIsNoNumberOrTooLargeAOne) {
  EXPECT_EQ(parse_hex_word("0Xff").value, 0xFFU);
  EXPECT_EQ(parse_hex_word("100000000").status, HexWord::Status::above_32_bits);
  for (const char* text : {"", "0x", "xyz", "12 "})
    EXPECT_EQ(parse_hex_word(text).status, HexWord::Status::not_hex) << text;
}

}  // namespace
}  // namespace tensim::isa
