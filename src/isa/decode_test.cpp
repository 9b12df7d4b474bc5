#include "isa/decode.hpp"

#include <gtest/gtest.h>

#include "isa/table.hpp"

namespace tensim::isa {
namespace {

TEST(Decode, OpcodeIsTheTopByte) {  // C16
  EXPECT_EQ(opcode_of(0xA6A1000A), 0xA6);
  EXPECT_EQ(decode(Arch::blackhole, 0xA6A1000A).form->name, "SEMWAIT");
  for (const Arch arch : all_archs)
    for (unsigned opcode = 0; opcode < 256; ++opcode)
      for (const Form* form : forms_of(arch, static_cast<std::uint8_t>(opcode)))
        EXPECT_EQ(decode(arch, form->base()).form, form) << form->name << " " << form->form;
}

TEST(Decode, RotatedWordsOfTheSemaphoreSeed) {  // P6
  struct Case {
    std::uint32_t riscv_word;
    Word word;
    const char* name;
  };
  for (const Case& c : {Case{0x8c800022, 0xA3200008, "SEMINIT"}, Case{0x90000022, 0xA4000008, "SEMPOST"},
                        Case{0x94000022, 0xA5000008, "SEMGET"}, Case{0x98020026, 0xA6008009, "SEMWAIT"}}) {
    ASSERT_TRUE(is_ttinsn(c.riscv_word));
    EXPECT_EQ(word_of_ttinsn(c.riscv_word), c.word);
    EXPECT_EQ(ttinsn_of_word(c.word), c.riscv_word);
    for (const Arch arch : all_archs)
      EXPECT_EQ(decode(arch, c.word).form->name, c.name);
  }
  const Decoded seminit = decode(Arch::blackhole, 0xA3200008);
  EXPECT_EQ(seminit.form->field("max")->get(seminit.word), 2U);
  EXPECT_EQ(seminit.form->field("value")->get(seminit.word), 0U);
  EXPECT_EQ(seminit.form->field("sem")->get(seminit.word), 2U);
}

TEST(Decode, SeminitSetsValueAndMaxFromTheWord) {  // P2
  const Form& form = *decode(Arch::blackhole, 0xA3000000).form;
  EXPECT_EQ(form.field("max")->mask(), 0xF00000U);
  EXPECT_EQ(form.field("value")->mask(), 0x0F0000U);
  EXPECT_EQ(form.field("sem")->mask(), 0x0003FCU);
}

TEST(Decode, TtinsnRotatesLeftByTwoBelowC0000000) {  // C18
  EXPECT_EQ(ttinsn_of_word(0x00000001), 0x00000004U);
  EXPECT_EQ(ttinsn_of_word(0xBFFFFFFF), 0xFFFFFFFEU);
  EXPECT_EQ(ttinsn_of_word(0xC0000000), std::nullopt);
  EXPECT_EQ(ttinsn_of_word(0xFFFFFFFF), std::nullopt);
  for (std::uint32_t low = 0; low < 4; ++low)
    EXPECT_EQ(is_ttinsn(0x10U | low), low != 3);
  // Every instruction of both chips can be a .ttinsn.
  for (const UnitTable& unit : unit_tables)
    for (const Form& form : unit.forms)
      EXPECT_TRUE(ttinsn_of_word(form.base() | parameter_mask).has_value()) << form.name;
}

TEST(Decode, UnusedBitsAreReportedNotLost) {
  const Decoded decoded = decode(Arch::blackhole, 0xA4000008 | 0x800001);
  EXPECT_EQ(decoded.status, Decoded::Status::defined);
  EXPECT_EQ(decoded.word, 0xA4800009U);
  EXPECT_EQ(decoded.unused_bits, 0x800001U);
  EXPECT_EQ(decode(Arch::blackhole, 0xA0010000).unused_bits, 0x010000U) << "mutex index is 16 bits (errata 3)";
}

TEST(Decode, StallwaitBit12IsCfgexuOnBlackholeAndBits13And14AreUnusedThere) {
  EXPECT_EQ(decode(Arch::blackhole, 0xA2001000).unused_bits, 0U);
  EXPECT_EQ(decode(Arch::blackhole, 0xA2006000).unused_bits, 0x6000U);
  EXPECT_EQ(decode(Arch::wormhole, 0xA2006000).unused_bits, 0U);
}

TEST(Decode, UndefinedOpcodesAndFormsSayWhich) {
  EXPECT_EQ(decode(Arch::blackhole, 0x00000000).status, Decoded::Status::undefined_opcode);
  EXPECT_EQ(decode(Arch::blackhole, 0xFF000000).status, Decoded::Status::undefined_opcode);
  EXPECT_EQ(decode(Arch::wormhole, 0x05000000).status, Decoded::Status::undefined_opcode)
      << "RESOURCEDECL is Blackhole's";
  EXPECT_EQ(decode(Arch::wormhole, 0x43000006).status, Decoded::Status::undefined_form) << "UNPACR_NOP 6 is reserved";
}

TEST(Decode, SetdmaregHasTwoFormsByBit7) {
  EXPECT_EQ(decode(Arch::blackhole, 0x45007807).form->form, "Immediate");
  EXPECT_EQ(decode(Arch::blackhole, 0x45007887).form->form, "Special");
}

TEST(Decode, SignedFieldsExtendTheirSign) {
  const Form& form = *decode(Arch::blackhole, 0x79FFF000).form;  // SFPIADD, Imm12 = -1
  EXPECT_EQ(field_value(*form.field("Imm12"), 0x79FFF000), -1);
  EXPECT_EQ(field_value(*form.field("Imm12"), 0x797FF000), 2047);
}

}  // namespace
}  // namespace tensim::isa
