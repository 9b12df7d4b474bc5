// Stores of cores that meet packers and the mover in L1. Cycles are worked out by hand.
#include "tests/support/l1_store.hpp"
#include "tests/support/packing.hpp"
#include "tests/support/tensix_tile.hpp"

namespace tensim::test {
namespace {

// ---- packers ----

/// Wormhole: 256 datums of 16 bits by one packer, 32 words from bank 0 on, one a cycle.
class PacksOnWormhole : public ::testing::Test {
 protected:
  PacksOnWormhole() {
    test.coprocessor.memory.l1 = test.l1;
    test.x_range(0, 255);
  }
  /// Until the packer writes the n-th word, if nothing is in its way.
  void run_to(unsigned packer, unsigned word, unsigned cycles_per_word = 1) {
    number = packer;
    const std::string line = "PACR PackerMask=" + std::to_string(1U << packer) + ", Last=1";
    test.coprocessor.push(2, assemble(Arch::wormhole, line), 0);
    while (!self().job.is_waiting)
      test.coprocessor.step();
    begun = self().progress.at;
    while (test.coprocessor.now < begun + Cycle{word} * cycles_per_word)
      test.coprocessor.step();
  }
  Cycle duration() {
    while (self().job.is_waiting)
      test.coprocessor.step();
    return test.coprocessor.now - begun;
  }
  tensix::Packer& self() { return test.coprocessor.packers.packer[number]; }

  Packing test{Arch::wormhole};
  unsigned number = 0;
  Cycle begun = 0;
};

TEST_F(PacksOnWormhole, AStoreInTheWayHoldsItUp) {
  run_to(0, 3);
  EXPECT_TRUE(waits(test.coprocessor, first_port, 3));
  EXPECT_FALSE(waits(test.coprocessor, first_port, 4));
  EXPECT_TRUE(holds(test.coprocessor, second_port, 3));
  EXPECT_EQ(self().free_from, begun + 32 + 5);
  EXPECT_EQ(duration(), 32U + 5);
}

TEST_F(PacksOnWormhole, AnotherBankIsNothingToIt) {
  run_to(0, 3);
  EXPECT_FALSE(holds(test.coprocessor, first_port, 10));
  EXPECT_FALSE(holds(test.coprocessor, second_port, 2));
  EXPECT_EQ(duration(), 32U);
}

TEST_F(PacksOnWormhole, TheDataIsInL1WhenItIsDone) {
  test.fill_rows(0, 16);
  run_to(0, 3);
  holds(test.coprocessor, first_port, 3);
  while (test.coprocessor.now < begun + 32 + 4)
    test.coprocessor.step();
  EXPECT_EQ(test.byte(Packing::out), Packing::untouched);
  test.coprocessor.step();
  EXPECT_EQ(test.half(Packing::out), Packing::datum(0, 0));
}

TEST_F(PacksOnWormhole, Packer2SharesAPortWithBT0AndNc) {
  run_to(2, 3);
  EXPECT_FALSE(waits(test.coprocessor, second_port, 10));
  EXPECT_FALSE(holds(test.coprocessor, second_port, 10));
  EXPECT_TRUE(waits(test.coprocessor, first_port, 10));
  test.coprocessor.step();
  EXPECT_FALSE(waits(test.coprocessor, first_port, 10)) << "it has had its turn, though it writes on";
  EXPECT_TRUE(holds(test.coprocessor, first_port, 10));
  EXPECT_EQ(duration(), 32U + 5);
}

TEST_F(PacksOnWormhole, TheyTakeTurns) {
  run_to(2, 3);
  for (unsigned i = 0; i < 3; ++i) {  // a word, a store, a word...
    EXPECT_TRUE(waits(test.coprocessor, first_port, 15));
    test.coprocessor.step();
    ASSERT_FALSE(waits(test.coprocessor, first_port, 15));
    holds(test.coprocessor, first_port, 15);
    for (Cycle held = 0; held < narrow; ++held)
      test.coprocessor.step();
  }
  EXPECT_EQ(duration(), 32U + 3 * 5);
}

TEST_F(PacksOnWormhole, Packer3SharesOneWithT1AndT2) {
  run_to(3, 3);
  EXPECT_FALSE(waits(test.coprocessor, first_port, 10));
  EXPECT_TRUE(waits(test.coprocessor, second_port, 10));
  EXPECT_FALSE(holds(test.coprocessor, first_port, 10));
  EXPECT_TRUE(holds(test.coprocessor, second_port, 10));
  EXPECT_EQ(duration(), 32U + 5);
}

TEST_F(PacksOnWormhole, PackersByThemselvesShareNone) {
  for (const unsigned packer : {0U, 1U}) {
    run_to(packer, 3);
    EXPECT_FALSE(waits(test.coprocessor, first_port, 10));
    EXPECT_FALSE(waits(test.coprocessor, second_port, 10));
    duration();
  }
}

TEST_F(PacksOnWormhole, AccumulatingAWordHoldsItsBankForFiveCycles) {
  test.set_own(0, "THCON_SEC0_REG1_Pack_L1_Acc"_config, 1);
  run_to(0, 2, 5);
  EXPECT_TRUE(waits(test.coprocessor, first_port, 2));
  for (unsigned i = 0; i < 4; ++i) {
    test.coprocessor.step();
    EXPECT_TRUE(waits(test.coprocessor, first_port, 2)) << "not done with it";
  }
  test.coprocessor.step();
  EXPECT_FALSE(waits(test.coprocessor, first_port, 2));
  EXPECT_TRUE(holds(test.coprocessor, first_port, 3));  // the next word
  EXPECT_EQ(duration(), 5 * 32U + 5);
}

TEST_F(PacksOnWormhole, Packer0ReadsL1ThroughThePortOfBT0AndNc) {
  test.set_own(0, "THCON_SEC0_REG1_Source_interface_selection"_config, 1);
  test.set_own(0, "THCON_SEC0_REG1_L1_source_addr"_config, 0);
  test.set("PCK0_ADDR_BASE_REG_0_Base"_config, 0x2000);
  run_to(0, 3);
  EXPECT_TRUE(waits(test.coprocessor, first_port, 10));
  EXPECT_FALSE(waits(test.coprocessor, second_port, 10));
  EXPECT_TRUE(waits(test.coprocessor, second_port, 3));
}

TEST_F(PacksOnWormhole, TheRegisterWriteOfPacrSetregWaitsForTheFlush) {
  // Half a block of BFP8 waits in the packer: the flush writes a word of datums (bank 0), then one of exponents (bank 8).
  test.formats(5, 6);
  test.set_own(0, "THCON_SEC0_REG1_L1_Dest_addr"_config, Packing::out / 16 + 7);
  test.set_own(0, "THCON_SEC0_REG1_Exp_section_size"_config, 8);
  test.x_range(0, 7);
  test.run("PACR PackerMask=1");
  auto& mmio = test.coprocessor.scalar.mmio;
  test.coprocessor.packers.register_bases.set(0x44);
  test.coprocessor.push(2, assemble(Arch::wormhole, "PACR_SETREG Push=1, Flush=1, PackSel=1, AddrMid=17, Value10=0"),
                        0);
  while (mmio.empty())
    test.coprocessor.step();
  const Cycle due = mmio.front().due;
  ASSERT_EQ(due, test.coprocessor.now) << "the second of two cycles";
  EXPECT_FALSE(holds(test.coprocessor, first_port, 0));
  EXPECT_EQ(mmio.front().due, due);
  EXPECT_TRUE(holds(test.coprocessor, second_port, 8));
  EXPECT_EQ(mmio.front().due, due + 5);
  EXPECT_EQ(self().job.last, due + 5);
}

TEST(PacksOnBlackhole, OnlyBanksCount) {
  // Four rows of 16 datums of 16 bits: eight words from bank 0 on, four a cycle (assumed).
  Packing test(Arch::blackhole);
  test.coprocessor.memory.l1 = test.l1;
  test.x_range(0, 15);
  const auto run = [&](unsigned bank) {
    test.coprocessor.push(2, assemble(Arch::blackhole, "PACR ReadIntfSel=15, Last=1"), 0);
    const tensix::Packer& packer = test.coprocessor.packers.packer[0];
    while (!packer.job.is_waiting)
      test.coprocessor.step();
    const Cycle begun = packer.progress.at;
    EXPECT_EQ(test.coprocessor.now, begun + 1);
    holds(test.coprocessor, first_port, bank);
    while (packer.job.is_waiting)
      test.coprocessor.step();
    for (unsigned i = 0; i < 10; ++i)  // the hold is over
      test.coprocessor.step();
    return packer.free_from - begun;
  };
  EXPECT_EQ(run(2), 2U) << "of the first cycle";
  EXPECT_EQ(run(8), 2U);
  EXPECT_EQ(run(4), 2U + 5);
  EXPECT_EQ(run(7), 2U + 5);
}

// ---- the mover ----

/// Eight units from bank 0 to bank 8 and on, in eleven cycles: they begin in cycles 0, 1, 2, 4, 5, 6, 8 and 9 of it.
class Moves : public BothArchs {
 protected:
  Moves() {
    bench.set("THCON_SEC0_REG6_Source_address"_config, 0x1000 / 16);
    bench.set("THCON_SEC0_REG6_Destination_address"_config, 0x2080 / 16);
    bench.set("THCON_SEC0_REG6_Buffer_size"_config, 8);
    bench.set("THCON_SEC0_REG6_Transfer_direction"_config, 3);
    bench.set_word(0x1000, 7);
  }
  /// Until cycle `cycle` of the move comes.
  void run_to(unsigned cycle) {
    coprocessor().push(0, assemble(GetParam(), "XMOV"), 0);
    while (!coprocessor().mover.job)
      bench.tile.run_until(bench.tile.now() + 1);
    begun = coprocessor().mover.progress.at;
    bench.tile.run_until(begun + cycle);
    ASSERT_EQ(bench.tile.now(), begun + cycle);
  }
  /// Until the data is there.
  Cycle duration() {
    while (bench.word(0x2080) == 0 && bench.tile.now() < begun + 100)
      bench.tile.run_until(bench.tile.now() + 1);
    EXPECT_EQ(coprocessor().mover.free_from, bench.tile.now());
    EXPECT_TRUE(coprocessor().is_idle());
    return bench.tile.now() - begun;
  }
  Coprocessor& coprocessor() { return bench.tile.coprocessor; }

  TensixTile bench{GetParam()};
  Cycle begun = 0;
};
TENSIM_BOTH_ARCHS(Moves);

TEST_P(Moves, AStoreToWhatItReadsOrWritesHoldsItUp) {
  for (const unsigned bank : {3U, 11U}) {
    bench.set_word(0x2080, 0);
    run_to(4);
    EXPECT_EQ(waits(coprocessor(), second_port, bank), true);
    EXPECT_TRUE(holds(coprocessor(), second_port, bank));
    EXPECT_EQ(duration(), 11U + 5);
  }
}

TEST_P(Moves, PortsAreSharedOnWormhole) {
  for (const unsigned port : {first_port, second_port}) {  // of its reads, of its writes
    bench.set_word(0x2080, 0);
    run_to(4);
    EXPECT_EQ(waits(coprocessor(), port, 0), is_wormhole());
    EXPECT_EQ(holds(coprocessor(), port, 0), is_wormhole());
    EXPECT_EQ(duration(), is_wormhole() ? 11U + 5 : 11U);
  }
}

TEST_P(Moves, ACycleWithoutAUnitIsFree) {
  run_to(3);
  EXPECT_FALSE(waits(coprocessor(), first_port, 0));
  EXPECT_FALSE(waits(coprocessor(), second_port, 3));
}

TEST_P(Moves, ZerosAreOnlyWritten) {
  bench.set("THCON_SEC0_REG6_Transfer_direction"_config, 0);  // a unit a cycle
  run_to(4);
  EXPECT_FALSE(waits(coprocessor(), first_port, 4));
  EXPECT_TRUE(waits(coprocessor(), second_port, 12));
}

}  // namespace
}  // namespace tensim::test
