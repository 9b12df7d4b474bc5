#include "isa/disassemble.hpp"

#include <gtest/gtest.h>

namespace tensim::isa {
namespace {

std::string vendor(Word word, Arch arch = Arch::blackhole) {
  return to_text(decode(arch, word), Syntax::vendor);
}
std::string named(Word word, Arch arch = Arch::blackhole) {
  return to_text(decode(arch, word), Syntax::named);
}

TEST(Disassemble, VendorFormOfTheThreeAnnotatedListings) {  // W54
  // T0, T1 and T2 of the STALLWAIT seed: block << 15 | condition, and their neighbours.
  EXPECT_EQ(vendor(0xA2400001), "ttstallwait 128, 1");
  EXPECT_EQ(vendor(0xB00C007C), "ttwrcfg 12, 0, 124");
  EXPECT_EQ(vendor(0xA2040400), "ttstallwait 8, 1024");
  EXPECT_EQ(vendor(0xA2100006), "ttstallwait 32, 6");
  EXPECT_EQ(vendor(0xA2400010), "ttstallwait 128, 16");
  EXPECT_EQ(vendor(0xA2010810), "ttstallwait 2, 2064");
  EXPECT_EQ(vendor(0xA4000008), "ttsempost 2");
  EXPECT_EQ(vendor(0xA2400810), "ttstallwait 128, 2064");
  EXPECT_EQ(vendor(0xA6A1000A), "ttsemwait 322, 2, 2");
  EXPECT_EQ(vendor(0xB01C000C), "ttwrcfg 28, 0, 12");
  EXPECT_EQ(vendor(0xA2108008), "ttstallwait 33, 8");
  EXPECT_EQ(vendor(0xA2400009), "ttstallwait 128, 9");
  EXPECT_EQ(vendor(0xA6008009), "ttsemwait 1, 2, 1");
  EXPECT_EQ(vendor(0xA2200008), "ttstallwait 64, 8");
  EXPECT_EQ(vendor(0xA2100008), "ttstallwait 32, 8");
}

TEST(Disassemble, BriefLeavesOutZerosButNotAll) {
  const auto brief = [](Word word) { return to_text(decode(Arch::blackhole, word), Syntax::brief); };
  EXPECT_EQ(brief(0x41000001), "PACR Last=1");
  EXPECT_EQ(brief(0xA0000000), "ATGETM mutex=MATH");
  EXPECT_EQ(brief(0x26000000), "MVMUL DstRow=0");
  EXPECT_EQ(brief(0x02000000), "NOP");
}

TEST(Disassemble, NamedFormOfTheListingsSaysWhatTheAnnotationsSay) {  // W54
  EXPECT_EQ(named(0xA2400001), "STALLWAIT block=STALL_CFG, cond=THCON");
  EXPECT_EQ(named(0xA2040400), "STALLWAIT block=STALL_UNPACK, cond=TRISC_CFG");
  EXPECT_EQ(named(0xA2100006), "STALLWAIT block=STALL_THCON, cond=UNPACK1|UNPACK0");
  EXPECT_EQ(named(0xA2010810), "STALLWAIT block=STALL_SYNC, cond=WAIT_SFPU|MATH");
  EXPECT_EQ(named(0xA6A1000A), "SEMWAIT block=STALL_SFPU|STALL_MATH|STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX");
  EXPECT_EQ(named(0xA2108008), "STALLWAIT block=STALL_THCON|STALL_TDMA, cond=PACK0");
  EXPECT_EQ(named(0xA6008009), "SEMWAIT block=STALL_TDMA, sem=MATH_PACK, cond=STALL_ON_ZERO");
}

TEST(Disassemble, ConditionNamesArePerArchitecture) {
  EXPECT_EQ(named(0xA2400810), "STALLWAIT block=STALL_CFG, cond=WAIT_SFPU|MATH");
  EXPECT_EQ(named(0xA2400810, Arch::wormhole), "STALLWAIT block=STALL_CFG, cond=SRCB_VLD|PACK1");  // ruling 20
}

TEST(Disassemble, VectorInstructionsAsTheVendorPrintsThem) {
  EXPECT_EQ(vendor(word_of_ttinsn(0x1003c002)), "sfpmad L0, L0, L15, L0, 0");
  EXPECT_EQ(vendor(word_of_ttinsn(0xc4020001)), "sfploadi L0, -32768, 0");
  EXPECT_EQ(vendor(word_of_ttinsn(0xe5ffc005)), "sfpiadd L0, L0, 0x7FF, 1");
  EXPECT_EQ(vendor(word_of_ttinsn(0x2800002a)), "sfpencc 0x000, 10");
  EXPECT_EQ(vendor(word_of_ttinsn(0x4cc00006)), "sfploadmacro 0, L7, 1, 0, 0");
  EXPECT_EQ(vendor(word_of_ttinsn(0x3c000002)), "sfpnop");
}

TEST(Disassemble, BitsWithoutAPlaceFollowAsRaw) {
  EXPECT_EQ(vendor(0xA4000009), "ttsempost 2, raw=0x1");
  EXPECT_EQ(named(0xA4000409), "SEMPOST sem=MATH_PACK, raw=0x401");
  EXPECT_EQ(vendor(0x02000001), "ttnop raw=0x1");
}

TEST(Disassemble, UndefinedWordsAreData) {
  EXPECT_EQ(vendor(0xFF123456), ".word 0xff123456");
  EXPECT_EQ(named(0xFF123456), ".word 0xff123456");
  EXPECT_EQ(vendor(0x43000006, Arch::wormhole), "ttunpacrnop 0, 6")
      << "the vendor prints operands whatever they select";
  EXPECT_EQ(named(0x43000006, Arch::wormhole), ".word 0x43000006");
}

}  // namespace
}  // namespace tensim::isa
