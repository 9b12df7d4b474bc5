// Auto TTSync (C38), the block by itself: what its records live through.
#include "tests/support/auto_ttsync_thread.hpp"

namespace tensim::test {
namespace {

using namespace auto_ttsync;

const std::string mop = "MOP.Template1";

/// Switched on, with nothing in the frontend.
AutoTtSync switched_on() {
  AutoTtSync auto_ttsync(Arch::blackhole, 1);
  auto_ttsync.enable(tensix::TtSyncEnables::from_word(track_all), {}, 0);
  return auto_ttsync;
}

TEST(AutoTtsyncBlock, ARecordLivesAsLongAsAnythingThatCameOfTheWord) {  // C38
  AutoTtSync auto_ttsync = switched_on();
  const auto may_store = [&] { return auto_ttsync.may_store(gprs); };
  EXPECT_FALSE(auto_ttsync.takes(assemble(Arch::blackhole, mop)));
  EXPECT_FALSE(may_store());
  auto_ttsync.mop_expander_takes();
  for (unsigned word = 0; word < 2; ++word) {  // a MOP of two words,
    auto_ttsync.mop_expander_gives();
    auto_ttsync.replay_expander_takes();
    auto_ttsync.replay_expander_gives();
    auto_ttsync.replay_expander_is_done();
    auto_ttsync.words_left_at_gate(0);
    EXPECT_FALSE(may_store());
  }
  auto_ttsync.mop_expander_gives();  // and a REPLAY of two
  auto_ttsync.mop_expander_is_done();
  EXPECT_FALSE(may_store());
  auto_ttsync.replay_expander_takes();
  auto_ttsync.replay_expander_gives();
  auto_ttsync.replay_expander_gives();
  auto_ttsync.replay_expander_is_done();
  auto_ttsync.words_left_at_gate(1);
  EXPECT_FALSE(may_store());
  auto_ttsync.words_left_at_gate(0);
  EXPECT_TRUE(may_store());
}

TEST(AutoTtsyncBlock, TheCandidateIsHeldUntilItsAccessesAreDoneAndTheLingerTimeIsOver) {  // C38
  AutoTtSync auto_ttsync = switched_on();
  const AutoTtSync::Ticket load = auto_ttsync.access_started(gprs, false);
  const AutoTtSync::Ticket store = auto_ttsync.access_started(gprs | tdma_risc, true);
  EXPECT_EQ(auto_ttsync.held_until(), 0U) << "nothing is at the gate";
  auto_ttsync.takes(assemble(Arch::blackhole, writes_gpr));
  auto_ttsync.mop_expander_takes();
  auto_ttsync.mop_expander_gives();
  auto_ttsync.mop_expander_is_done();
  auto_ttsync.replay_expander_takes();
  auto_ttsync.replay_expander_gives();
  auto_ttsync.replay_expander_is_done();
  EXPECT_EQ(auto_ttsync.held_until(), tensix::never);
  EXPECT_EQ(auto_ttsync.awaited().resources, gprs | tdma_risc);
  EXPECT_EQ(auto_ttsync.awaited().loads, 1U);
  EXPECT_EQ(auto_ttsync.awaited().stores, 1U);
  auto_ttsync.access_done(store, 100, true);
  EXPECT_EQ(auto_ttsync.held_until(), tensix::never);
  auto_ttsync.access_done(load, 110, true);
  EXPECT_EQ(auto_ttsync.held_until(), 112U);
  EXPECT_EQ(auto_ttsync.awaited().loads, 0U);
}

TEST(AutoTtsyncBlock, ResourcedeclIsTheOnlyWordItKeeps) {  // C38, W14
  AutoTtSync auto_ttsync = switched_on();
  for (const std::string_view line : {"NOP", "MOP_CFG MaskHi=0", "REPLAY Index=0, Count=1, Exec=0, Load=0", "SFPNOP"})
    EXPECT_FALSE(auto_ttsync.takes(assemble(Arch::blackhole, line))) << line;
  EXPECT_TRUE(auto_ttsync.takes(assemble(Arch::blackhole, "RESOURCEDECL LingerTime=0, Resources=0, OpClass=MOP")));
  EXPECT_FALSE(AutoTtSync(Arch::wormhole, 1).takes(0x05000000));
}

}  // namespace
}  // namespace tensim::test
