// XMOV: what the mover moves, how long it is busy, and who waits for it.
#include "tensix/units/mover/unit.hpp"

#include "tests/support/tensix_tile.hpp"

namespace tensim::test {
namespace {

class MoverTest : public BothArchs {
 protected:
  void order(TensixTile& on, std::uint32_t from, std::uint32_t to, std::uint32_t size, std::uint32_t direction) {
    on.set("THCON_SEC0_REG6_Source_address"_config, from / 16);
    on.set("THCON_SEC0_REG6_Destination_address"_config, to / 16);
    on.set("THCON_SEC0_REG6_Buffer_size"_config, size / 16);
    on.set("THCON_SEC0_REG6_Transfer_direction"_config, direction);
  }
  static constexpr std::uint32_t zeros_to_l1 = 0, l1_to_l0 = 1, zeros_to_l0 = 2, l1_to_l1 = 3;
  TensixTile bench{GetParam()};
};
TENSIM_BOTH_ARCHS(MoverTest);

TEST_P(MoverTest, CopiesAtElevenCyclesForEightUnitsAndIsBusyMeanwhile) {
  // Mover.md: eight 16-byte units in eleven cycles. C12 (Blackhole C9) holds the NOP until they are over, W28.
  for (std::uint32_t i = 0; i < 32; ++i)
    bench.set_word(0x1000 + 4 * i, 100 + i);
  order(bench, 0x1000, 0x2000, 128, l1_to_l1);
  const std::string wait = is_wormhole() ? "4096" : "512";
  bench.run(1, "XMOV\nSTALLWAIT block=STALL_SYNC|STALL_TDMA, wait_res=" + wait + "\nDMANOP");
  const Cycle start = bench.issued(1, 0);
  EXPECT_EQ(bench.issued(1, 2), start + 12);  // busy to start + 10, seen clear in start + 11
  for (std::uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(bench.word(0x2000 + 4 * i), 100 + i);
}

TEST_P(MoverTest, TheDataIsThereWithTheLastCycle) {
  bench.set_word(0x1000, 7);
  order(bench, 0x1000, 0x2000, 128, l1_to_l1);
  bench.tile.coprocessor.push(0, assemble(GetParam(), "XMOV"), 0);
  while (bench.word(0x2000) == 0 && bench.tile.now() < 100)
    bench.tile.run_until(bench.tile.now() + 1);
  EXPECT_EQ(bench.tile.now() - bench.issued(0, 0), 11U);
}

TEST_P(MoverTest, ASecondXmovWaitsUntilItCanStart) {
  order(bench, 0, 0x2000, 160, zeros_to_l1);  // ten units, one a cycle
  bench.run(0, "XMOV\nXMOV\nNOP");
  EXPECT_EQ(bench.issued(0, 1), bench.issued(0, 0) + 10);
  EXPECT_EQ(bench.issued(0, 2), bench.issued(0, 1) + 1);  // XMOV itself takes a cycle
}

TEST_P(MoverTest, FillsWithZerosAndWritesConfiguration) {
  bench.set_word(0x2000, 1);
  bench.set_word(0x2010, 1);
  order(bench, 0, 0x2000, 16, zeros_to_l1);
  bench.run(0, "XMOV");
  EXPECT_EQ(bench.word(0x2000), 0U);
  EXPECT_EQ(bench.word(0x2010), 1U);
  bench.set_word(0x1004, 55);
  order(bench, 0x1000, 16, 16, l1_to_l0);  // words 4 to 7 of bank 0
  bench.run(0, "XMOV");
  EXPECT_EQ(bench.tile.coprocessor.config.bank[0][5], 55U);
  order(bench, 0x1000, 16, 16, zeros_to_l0);
  bench.run(0, "XMOV");
  EXPECT_EQ(bench.tile.coprocessor.config.bank[0][5], 0U);
}

TEST_P(MoverTest, FillsTheInstructionRamOfWormhole) {
  bench.set_word(0x1000, 0x12345678);
  order(bench, 0x1000, 0x40020, 16, l1_to_l0);
  bench.run(0, "XMOV");
  if (is_wormhole()) {
    EXPECT_EQ(bench.tile.iram[0x20], 0x78);
  } else {
    EXPECT_TRUE(bench.reported(tensix::DataIssue::mover_range));  // there is none
  }
}

TEST_P(MoverTest, LeavesAloneWhatIsOutsideAMemory) {
  const time::PagedMemory before = bench.tile.l1;
  for (const auto& [from, to, direction] :
       {std::array{0xFFFFFFF0U, 0U, l1_to_l1}, std::array{0U, 0xFFFFFF00U, l1_to_l1},
        std::array{0U, 0x17FFF0U, zeros_to_l1}, std::array{0U, 0xFFF0U, l1_to_l0}}) {
    TensixTile other(GetParam());
    order(other, from, to, 64, direction);
    other.run(0, "XMOV");
    EXPECT_TRUE(other.reported(tensix::DataIssue::mover_range)) << std::hex << from << " " << to;
    EXPECT_EQ(other.tile.l1, before);
  }
  order(bench, 0, 0x20000, 64, l1_to_l0);  // nowhere: the mover is busy, nothing is written
  bench.run(0, "XMOV");
  EXPECT_EQ(bench.tile.l1, before);
}

TEST_P(MoverTest, TdmaRiscWaitsForAnXmov) {
  order(bench, 0, 0x2000, 160, zeros_to_l1);
  bench.tile.devices.tdma.queue.push({.word = 0x40, .params = {0, 0x300, 1, zeros_to_l1}});
  bench.tile.devices.tdma.parameter_credits = 1;
  bench.tile.devices.tdma.next = 5;
  bench.set_word(0x3000, 1);
  bench.tile.coprocessor.push(0, assemble(GetParam(), "XMOV"), 0);
  Cycle cleared = 0;
  while (cleared == 0 && bench.tile.now() < 100) {
    bench.tile.run_until(bench.tile.now() + 1);
    if (bench.word(0x3000) == 0) cleared = bench.tile.now() - 1;
  }
  // Ten cycles of the XMOV, one in which the command is taken, one for its unit.
  EXPECT_EQ(cleared - bench.issued(0, 0), 11U);
}

}  // namespace
}  // namespace tensim::test
