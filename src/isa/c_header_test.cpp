#include "isa/c_header.hpp"

#include <gtest/gtest.h>

namespace tensim::isa {
namespace {

bool has(const std::string& text, std::string_view line) {
  return text.find(std::string(line) + "\n") != std::string::npos;
}

TEST(CHeader, HasThreeMacrosPerInstruction) {
  const std::string text = c_header(Arch::blackhole);
  EXPECT_TRUE(has(text, "#define TT_OP_SEMPOST(sem_sel) (0xa4000000u | TENSIM_UNSIGNED(sem_sel, 22, 2))"));
  EXPECT_TRUE(has(text, "#define TTI_SEMPOST(sem_sel) TENSIM_TTINSN(TT_OP_SEMPOST(sem_sel))"));
  EXPECT_TRUE(has(text, "#define TT_SEMPOST(sem_sel) TENSIM_PUSH(TT_OP_SEMPOST(sem_sel))"));
}

TEST(CHeader, AnInstructionWithoutOperandsHasNoParentheses) {
  EXPECT_TRUE(has(c_header(Arch::wormhole), "#define TTI_NOP TENSIM_TTINSN(TT_OP_NOP)"));
}

TEST(CHeader, AnInstructionOfSeveralFormsStandsOnce) {
  const std::string text = c_header(Arch::wormhole);
  const std::size_t first = text.find("#define TT_OP_UNPACR_NOP(");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("#define TT_OP_UNPACR_NOP(", first + 1), std::string::npos);
}

TEST(CHeader, IsOfOneChip) {
  EXPECT_NE(c_header(Arch::blackhole).find("TT_OP_STREAMWAIT("), std::string::npos);
  EXPECT_EQ(c_header(Arch::wormhole).find("TT_OP_STREAMWAIT("), std::string::npos);
  EXPECT_TRUE(has(c_header(Arch::wormhole), "#define TENSIM_WORMHOLE 1"));
  EXPECT_NE(c_header(Arch::wormhole).find("  WAIT_TRISC_CFG = 0x2000,"), std::string::npos);  // W29
  EXPECT_NE(c_header(Arch::blackhole).find("  WAIT_TRISC_CFG = 0x400,"), std::string::npos);
}

}  // namespace
}  // namespace tensim::isa
