#include "tensix/registers/gpr.hpp"

#include <gtest/gtest.h>

#include "tensix/registers/test_words.hpp"

namespace tensim::tensix {
namespace {

/// R10 op R11 into R20 of thread 1, with the mode if the instruction has one.
std::optional<std::uint32_t> of_registers(std::string_view instruction, std::uint32_t left, std::uint32_t right,
                                          int mode = -1) {
  Gprs gprs;
  gprs.value[1][10] = left;
  gprs.value[1][11] = right;
  isa::Word word =
      word_of(Arch::blackhole, instruction, "Register", {{"ResultReg", 20}, {"RightReg", 11}, {"LeftReg", 10}});
  if (mode >= 0) word |= static_cast<isa::Word>(mode) << 18;  // Mode is bits 20:18
  const auto write = dmareg_result(gprs, 1, word);
  if (!write) return std::nullopt;
  EXPECT_EQ(write->reg, 20);
  return write->value;
}

/// R10 op constant.
std::optional<std::uint32_t> of_constant(std::string_view instruction, std::uint32_t left, std::uint32_t constant,
                                         int mode = -1) {
  Gprs gprs;
  gprs.value[2][10] = left;
  isa::Word word = word_of(Arch::wormhole, instruction, "Immediate", {{"ResultReg", 20}, {"LeftReg", 10}});
  word |= constant << 6;  // RightImm6 is bits 11:6
  if (mode >= 0) word |= static_cast<isa::Word>(mode) << 18;
  const auto write = dmareg_result(gprs, 2, word);
  if (!write) return std::nullopt;
  EXPECT_EQ(write->reg, 20);
  return write->value;
}

TEST(Gpr, HandEncodedWords) {
  Gprs gprs;
  gprs.value[0][2] = 100;
  gprs.value[0][63] = 7;
  // ADDDMAREG, constant: 0x58 | bit 23 | result 5 in 17:12 | 63 in 11:6 | left 2 in 5:0
  EXPECT_EQ(dmareg_result(gprs, 0, 0x58805FC2), (GprWrite{5, 163}));
  // The same bits without bit 23 name register 63.
  EXPECT_EQ(dmareg_result(gprs, 0, 0x58005FC2), (GprWrite{5, 107}));
  // Registers of another thread are not seen.
  EXPECT_EQ(dmareg_result(gprs, 1, 0x58005FC2), (GprWrite{5, 0}));
  EXPECT_EQ(gprs.value[0][5], 0U) << "a result is not written yet";
}

TEST(Gpr, AddAndSubtractWrapAtThirtyTwoBits) {
  EXPECT_EQ(of_registers("ADDDMAREG", 0xFFFFFFFF, 2), 1U);
  EXPECT_EQ(of_registers("SUBDMAREG", 1, 2), 0xFFFFFFFFU);
  EXPECT_EQ(of_constant("ADDDMAREG", 0xFFFFFFF0, 63), 0x2FU);  // 63 is not sign-extended
  EXPECT_EQ(of_constant("SUBDMAREG", 0, 63), 0xFFFFFFC1U);
}

TEST(Gpr, MultiplyTakesLowHalvesUnsigned) {
  EXPECT_EQ(of_registers("MULDMAREG", 0xFFFFFFFF, 0xFFFFFFFF), 0xFFFE0001U);  // 65535 * 65535
  EXPECT_EQ(of_registers("MULDMAREG", 0x00010000, 5), 0U);
  EXPECT_EQ(of_constant("MULDMAREG", 0xABCD8000, 63), 0x8000U * 63U);
}

TEST(Gpr, Bitwise) {
  EXPECT_EQ(of_registers("BITWOPDMAREG", 0xF0F0, 0xFF00, 0), 0xF000U);
  EXPECT_EQ(of_registers("BITWOPDMAREG", 0xF0F0, 0xFF00, 1), 0xFFF0U);
  EXPECT_EQ(of_registers("BITWOPDMAREG", 0xF0F0, 0xFF00, 2), 0x0FF0U);
  EXPECT_EQ(of_constant("BITWOPDMAREG", 0xFFFFFFFF, 0x3F, 0), 0x3FU);
}

TEST(Gpr, ShiftsFillWithZeroAndTakeFiveBits) {
  EXPECT_EQ(of_registers("SHIFTDMAREG", 1, 31, 0), 0x80000000U);
  EXPECT_EQ(of_registers("SHIFTDMAREG", 0x80000000, 31, 1), 1U);
  EXPECT_EQ(of_registers("SHIFTDMAREG", 3, 32, 0), 3U) << "32 is 0 in five bits";
  EXPECT_EQ(of_registers("SHIFTDMAREG", 3, 0xFFFFFFE1, 0), 6U);
  EXPECT_EQ(of_constant("SHIFTDMAREG", 0xFFFFFFFF, 31, 1), 1U);
  EXPECT_EQ(of_constant("SHIFTDMAREG", 3, 33, 0), 6U) << "bit 11 is not part of RightImm5";
}

TEST(Gpr, ComparisonsAreUnsigned) {
  EXPECT_EQ(of_registers("CMPDMAREG", 0x80000000, 1, 0), 1U);
  EXPECT_EQ(of_registers("CMPDMAREG", 0x80000000, 1, 1), 0U);
  EXPECT_EQ(of_registers("CMPDMAREG", 7, 7, 0), 0U);
  EXPECT_EQ(of_registers("CMPDMAREG", 7, 7, 1), 0U);
  EXPECT_EQ(of_registers("CMPDMAREG", 7, 7, 2), 1U);
  EXPECT_EQ(of_constant("CMPDMAREG", 62, 63, 1), 1U);
}

TEST(Gpr, UndefinedModesHaveNoResult) {
  EXPECT_EQ(of_constant("SHIFTDMAREG", 1, 1, 2), std::nullopt);
  for (int mode = 3; mode < 8; ++mode) {
    EXPECT_EQ(of_registers("BITWOPDMAREG", 1, 1, mode), std::nullopt) << mode;
    EXPECT_EQ(of_constant("SHIFTDMAREG", 1, 1, mode), std::nullopt) << mode;
    EXPECT_EQ(of_registers("CMPDMAREG", 1, 1, mode), std::nullopt) << mode;
  }
}

TEST(Gpr, OtherWordsHaveNoResult) {
  EXPECT_EQ(dmareg_result(Gprs{}, 0, 0x45000000), std::nullopt);  // SETDMAREG
  EXPECT_EQ(dmareg_result(Gprs{}, 0, 0x5E000000), std::nullopt);  // SETADCXX
  EXPECT_FALSE(is_dmareg_arithmetic(0x57000000));
  EXPECT_FALSE(is_dmareg_arithmetic(0x5E000000));
  for (const isa::Word opcode : {0x58U, 0x59U, 0x5AU, 0x5BU, 0x5CU, 0x5DU})
    EXPECT_TRUE(is_dmareg_arithmetic(opcode << 24));
}

TEST(Gpr, NearMeansOneAlignedGroupOrAConstant) {
  const auto near = [](isa::Word left, isa::Word right) {
    return dmareg_is_near(word_of(Arch::wormhole, "ADDDMAREG", "Register", {{"RightReg", right}, {"LeftReg", left}}));
  };
  EXPECT_TRUE(near(0, 3));
  EXPECT_FALSE(near(3, 4)) << "neighbours, but not of one group";
  EXPECT_TRUE(near(60, 63));
  EXPECT_FALSE(near(63, 0));
  EXPECT_TRUE(dmareg_is_near(word_of(Arch::wormhole, "ADDDMAREG", "Immediate", {{"RightImm6", 63}, {"LeftReg", 0}})));
  // The result's register does not count.
  EXPECT_TRUE(dmareg_is_near(
      word_of(Arch::wormhole, "CMPDMAREG", "Register", {{"ResultReg", 50}, {"RightReg", 1}, {"LeftReg", 2}})));
}

TEST(Gpr, SetdmaregWritesOneHalf) {
  Gprs gprs;
  gprs.value[2][3] = 0x11112222;
  setdmareg_immediate(gprs, 2, 0x45ABCD06);  // NewValue 0xABCD in 23:8, half 6: the lower one of R3
  EXPECT_EQ(gprs.value[2][3], 0x1111ABCDU);
  setdmareg_immediate(gprs, 2, 0x45FFFF07);
  EXPECT_EQ(gprs.value[2][3], 0xFFFFABCDU);
  setdmareg_immediate(gprs, 2, 0x4500017F);  // half 127: the upper one of R63
  EXPECT_EQ(gprs.value[2][63], 0x00010000U);
  EXPECT_EQ(gprs.value[1], Gprs{}.value[1]);
}

}  // namespace
}  // namespace tensim::tensix
