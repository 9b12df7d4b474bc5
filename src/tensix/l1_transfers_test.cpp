// A core's store meets an unpacker in L1: who waits, and for how long. Cycles are worked out by hand from where the words
// of the transfer lie.
#include "tests/support/l1_store.hpp"
#include "tests/support/unpacker_bench.hpp"

namespace tensim::test {
namespace {

/// 1024 datums of 16 bits: 128 words from bank 1 on, one a cycle.
class Unpacks : public BothArchs {
 protected:
  Unpacks() {
    bench.set_up_tile(5, 5);
    slow(0);
    static_assert(UnpackerBench::tile_at / 16 % 16 == 1);
  }
  /// Speed x1.
  void slow(unsigned unpacker) {
    if (!is_wormhole()) bench.set("THCON_SEC0_REG1_ovrd_default_throttle_mode"_config, 1, unpacker);
  }
  /// Until the word of L1 that is fetched in the coming cycle is the n-th.
  void run_to(unsigned word, std::string_view line = "UNPACR.Regular WhichUnpacker=0") {
    coprocessor().push(0, assemble(GetParam(), line), 0);
    while (!coprocessor().unpackers.pipes[0].moving)
      coprocessor().step();
    begun = coprocessor().unpackers.pipes[0].progress.at;
    while (coprocessor().now < begun + word)
      coprocessor().step();
  }
  static constexpr unsigned bank_of(unsigned word) { return (1 + word) % 16; }
  /// Cycles of the data phase.
  Cycle duration(unsigned unpacker = 0) {
    while (coprocessor().unpackers.pipes[unpacker].moving)
      coprocessor().step();
    return coprocessor().now - begun;
  }
  Coprocessor& coprocessor() { return bench.coprocessor; }

  UnpackerBench bench{GetParam()};
  Cycle begun = 0;
};
TENSIM_BOTH_ARCHS(Unpacks);

TEST_P(Unpacks, AloneAWordACycle) {
  run_to(10);
  EXPECT_EQ(duration(), 128U);
}

TEST_P(Unpacks, AStoreInTheWayHoldsItUpForAsLongAsItHoldsTheBank) {
  run_to(10);
  EXPECT_TRUE(holds(coprocessor(), first_port, bank_of(10)));
  EXPECT_EQ(duration(), 128U + 5);
}

TEST_P(Unpacks, AWholeBlockHoldsTheBankForACycle) {
  run_to(10);
  EXPECT_TRUE(holds(coprocessor(), second_port, bank_of(10), 1));
  EXPECT_EQ(duration(), 128U + 1);
}

TEST_P(Unpacks, WhatComesLaterInTheHoldWaitsForTheRestOfIt) {
  run_to(10);
  EXPECT_TRUE(holds(coprocessor(), first_port, bank_of(13)));  // held in the cycles of words 10 to 14
  EXPECT_EQ(duration(), 128U + 2);
}

TEST_P(Unpacks, AnotherBankIsNothingToIt) {
  run_to(10);
  EXPECT_FALSE(holds(coprocessor(), first_port, bank_of(15)));  // free again in its cycle
  EXPECT_FALSE(holds(coprocessor(), second_port, bank_of(9)));  // just over
  EXPECT_EQ(duration(), 128U);
}

TEST_P(Unpacks, StoresThroughBothPortsAddUp) {
  run_to(10);
  holds(coprocessor(), first_port, bank_of(10));  // word 10 in cycle 15, if nothing else happens
  coprocessor().step();
  EXPECT_FALSE(waits(coprocessor(), second_port, bank_of(11))) << "the unpacker does not get there while it waits";
  holds(coprocessor(), second_port, bank_of(11));  // cycles 11 to 15; word 11 is due in 16
  EXPECT_EQ(duration(), 128U + 5);
}

TEST_P(Unpacks, OneBehindTheOtherToo) {
  run_to(10);
  holds(coprocessor(), first_port, bank_of(10));
  for (unsigned i = 0; i < 5; ++i)
    coprocessor().step();
  holds(coprocessor(), first_port, bank_of(12));  // word 10 is in this cycle, 12 two later: it waits for three
  EXPECT_EQ(duration(), 128U + 5 + 3);
}

TEST_P(Unpacks, AStoreWaitsForTheWordThatIsThere) {
  run_to(10);
  EXPECT_TRUE(waits(coprocessor(), first_port, bank_of(10)));
  coprocessor().step();
  EXPECT_FALSE(waits(coprocessor(), first_port, bank_of(10)));
  EXPECT_FALSE(holds(coprocessor(), first_port, bank_of(10)));  // next used 16 words later
  EXPECT_EQ(duration(), 128U);
}

TEST_P(Unpacks, AndNotForOthers) {
  run_to(10);
  EXPECT_FALSE(waits(coprocessor(), first_port, bank_of(11)));
  EXPECT_FALSE(waits(coprocessor(), second_port, bank_of(9)));
}

TEST_P(Unpacks, WhatBeginsBehindAStoreWaitsForItToo) {
  coprocessor().push(0, assemble(GetParam(), "UNPACR.Regular WhichUnpacker=0"), 0);
  coprocessor().l1_traffic.holds[first_port] = {bank_of(0), 1000};
  while (!coprocessor().unpackers.pipes[0].moving)
    coprocessor().step();
  begun = coprocessor().unpackers.pipes[0].progress.at;
  EXPECT_EQ(duration(), 1000 - begun + 128);
}

TEST_P(Unpacks, TheBankIsHandedOverLater) {
  run_to(10, "UNPACR.Regular FlipSrc=1");
  holds(coprocessor(), first_port, bank_of(10));
  while (coprocessor().now < begun + 128)
    coprocessor().step();
  EXPECT_FALSE(coprocessor().src.matrix_owns[0][0]);
  for (unsigned i = 0; i < 5; ++i)
    coprocessor().step();
  EXPECT_TRUE(coprocessor().src.matrix_owns[0][0]);
}

TEST_P(Unpacks, ASkippedCoprocessorEndsThereToo) {
  run_to(10);
  for (unsigned i = 0; i < 3; ++i)
    coprocessor().step();
  holds(coprocessor(), first_port, bank_of(13));
  EXPECT_EQ(coprocessor().next_event(), begun + 128 + 5);
  coprocessor().skip_to(begun + 128 + 4);
  EXPECT_TRUE(coprocessor().unpackers.pipes[0].moving);
}

TEST_P(Unpacks, FourWordsWaitForOne) {
  // Wormhole's x4: words 10 to 12 of a cycle wait for 13, whose bank is held. Blackhole's x2 for the same two and two.
  bench.set("THCON_SEC0_REG2_Throttle_mode"_config, is_wormhole() ? 2 : 1);
  const unsigned speed = is_wormhole() ? 4 : 2;
  run_to(2);
  holds(coprocessor(), first_port, bank_of(2 * speed + speed - 1));
  EXPECT_EQ(duration(), 128 / speed + 5);
}

/// Blackhole's unpackers do not slow each other down.
class UnpacksOnWormhole : public Unpacks {};
INSTANTIATE_TEST_SUITE_P(Wormhole, UnpacksOnWormhole, ::testing::Values(Arch::wormhole));

TEST_P(UnpacksOnWormhole, TheOtherUnpackerIsSlowedDownForAsLongAsItLasts) {
  // x4 for both. When unpacker 1 has begun each gets two words a cycle, until unpacker 0 is done. The store meets
  // unpacker 0 alone: in five cycles the other one fetches from ten banks, and the store's is none of them.
  bench.set_up_tile(5, 5, 1);
  bench.set("THCON_SEC0_REG3_Base_address"_config, UnpackerBench::tile_word + 9, 1);
  bench.set("THCON_SEC0_REG2_Throttle_mode"_config, 2);
  bench.set("THCON_SEC0_REG2_Throttle_mode"_config, 2, 1);
  run_to(0);
  coprocessor().push(0, assemble(GetParam(), "UNPACR.Regular WhichUnpacker=1"), 0);
  while (coprocessor().now < begun + 20)
    coprocessor().step();
  const Cycle second = coprocessor().unpackers.pipes[1].job[0].data_from;
  const unsigned fetched = static_cast<unsigned>(4 * (second - begun) + 2 * (begun + 20 - second));
  const unsigned by_other = static_cast<unsigned>(2 * (begun + 20 - second));
  const unsigned bank = bank_of(fetched);
  const unsigned other_bank = (10 + by_other) % 16;
  ASSERT_GE((bank - other_bank) % 16, 10U) << "the other one must not meet the store";
  EXPECT_TRUE(holds(coprocessor(), first_port, bank));
  const Cycle alone = second - begun + (128 - 4 * (second - begun)) / 2;
  EXPECT_EQ(duration(), alone + 5);
}

TEST_P(Unpacks, ExponentsShareAPortWithCoresOnWormhole) {
  // 1024 of BFP8: four words of exponents first.
  bench.set_up_tile(6, 6);
  run_to(2);
  const unsigned elsewhere = bank_of(12);
  EXPECT_EQ(waits(coprocessor(), first_port, elsewhere), is_wormhole());
  EXPECT_FALSE(waits(coprocessor(), second_port, elsewhere));
  EXPECT_EQ(holds(coprocessor(), first_port, elsewhere), is_wormhole());
  EXPECT_EQ(duration(), 68U + (is_wormhole() ? 5 : 0));
}

TEST_P(Unpacks, RowsThatLieApartUseTheBanksTheyLieIn) {
  // 128 bytes apart: banks 1 and 2, 9 and 10, 1 and 2... (Blackhole: four words of each row).
  bench.set("THCON_SEC0_REG2_Tileize_mode"_config, 1);
  bench.set("THCON_SEC0_REG2_Shift_amount_cntx0"_config, 128 / 16);
  run_to(2);
  EXPECT_FALSE(holds(coprocessor(), first_port, 6));
  EXPECT_TRUE(waits(coprocessor(), second_port, 9));
  EXPECT_TRUE(holds(coprocessor(), second_port, 9));
}

}  // namespace
}  // namespace tensim::test
