#include "isa/explain.hpp"

#include <gtest/gtest.h>

namespace tensim::isa {
namespace {

const ExplainedField& field(const Explanation& explanation, std::string_view name) {
  for (const ExplainedField& candidate : explanation.fields)
    if (candidate.field->name == name) return candidate;
  ADD_FAILURE() << name;
  return explanation.fields.front();
}

TEST(Explain, NamesEachBitOfAWait) {
  const Explanation explanation = explain(Arch::blackhole, 0xA6A1000A);
  EXPECT_EQ(explanation.unit, "Sync Unit");
  EXPECT_EQ(explanation.held_by, "any of B0 to B8");
  ASSERT_EQ(field(explanation, "block").names.size(), 3U);
  EXPECT_EQ(field(explanation, "block").names[0].name, "STALL_SYNC");
  EXPECT_EQ(field(explanation, "sem").names[0].name, "MATH_PACK");
}

TEST(Explain, BlockMaskZeroActsAsMath) {  // W17
  for (const Arch arch : all_archs)
    EXPECT_EQ(field(explain(arch, 0xA2000001), "block").note, "0 acts as STALL_MATH");
}

TEST(Explain, ConditionMaskZeroActsAs0FOnBlackholeAnd7FOnWormhole) {  // W18
  EXPECT_EQ(field(explain(Arch::blackhole, 0xA2008000), "cond").note, "0 acts as 0xf");
  EXPECT_EQ(field(explain(Arch::wormhole, 0xA2008000), "cond").note, "0 acts as 0x7f");
}

TEST(Explain, SemwaitConditionZeroIsUndefined) {  // W36
  EXPECT_EQ(field(explain(Arch::blackhole, 0xA6008008), "cond").note, "0 is undefined");
}

TEST(Explain, ReplayCountsOutsideTheBufferAreNamed) {
  EXPECT_EQ(field(explain(Arch::blackhole, 0x04000000), "Count").note, "0 acts as 32");
  EXPECT_EQ(field(explain(Arch::blackhole, 0x04000200), "Count").note, "");
  EXPECT_EQ(field(explain(Arch::wormhole, 0x04000210), "Count").note, "above 32 is unsupported");
}

TEST(Explain, InvalidMutexesAreNamed) {
  EXPECT_EQ(field(explain(Arch::blackhole, 0xA0000001), "mutex").note, "no such mutex: the thread waits for ever");
  EXPECT_EQ(field(explain(Arch::blackhole, 0xA0000005), "mutex").note, "no such mutex: the thread waits for ever");
  EXPECT_EQ(field(explain(Arch::wormhole, 0xA0000005), "mutex").note, "");
  EXPECT_EQ(field(explain(Arch::blackhole, 0xA0000000), "mutex").text, "MATH");
}

TEST(Explain, StallThreadIsExplainedByItsBits) {
  const Explanation explanation = explain(Arch::blackhole, 0xA2FF8001);
  EXPECT_EQ(field(explanation, "block").text, "STALL_THREAD");
  EXPECT_EQ(field(explanation, "block").names.size(), 9U);
}

TEST(Explain, UndefinedWordsHaveNoFields) {
  const Explanation explanation = explain(Arch::blackhole, 0xFF000000);
  EXPECT_EQ(explanation.decoded.form, nullptr);
  EXPECT_TRUE(explanation.fields.empty());
}

}  // namespace
}  // namespace tensim::isa
