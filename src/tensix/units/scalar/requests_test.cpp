// What the Scalar Unit does to GPRs, L1, Src, address counters and configuration, and when it lands. A word pushed in
// cycle 0 is issued in cycle 3 or later; cycles are counted from the issue.
#include "explain/tile_outcome.hpp"
#include "report/conditions.hpp"
#include "tests/support/tensix_tile.hpp"

namespace tensim::test {
namespace {

class ScalarRequests : public BothArchs {
 protected:
  TensixTile bench{GetParam()};
  std::uint32_t& gpr(unsigned reg) { return bench.gpr(reg); }
  void fill(std::uint32_t address) {
    for (std::uint32_t i = 0; i < 8; ++i)
      bench.set_word(address + 4 * i, 0x04030201U + 0x04040404U * i);
  }
  /// Runs single cycles until `done`; the cycles since the thread's first issue, the last one included.
  template <class Done>
  Cycle cycles_until(const std::string& program, Done done) {
    const Word word = assemble(GetParam(), program);
    bench.tile.coprocessor.push(0, word, 0);
    while (!done() && bench.tile.now() < 500)
      bench.tile.run_until(bench.tile.now() + 1);
    return bench.tile.now() - bench.issued(0, 0);
  }
};
TENSIM_BOTH_ARCHS(ScalarRequests);

TEST_P(ScalarRequests, LoadindReadsEachSizeAtAnAlignedAddress) {
  fill(0x1000);
  gpr(5) = 0x100;    // times 16
  gpr(6) = 0x70007;  // offset 7 in both halves
  gpr(8) = gpr(9) = gpr(10) = 0xEEEEEEEE;
  bench.run(0,
            "LOADIND Size=LD_8bit, OffsetHalfReg=12, ResultReg=8, AddrReg=5\n"
            "LOADIND Size=LD_16bit, OffsetHalfReg=13, ResultReg=9, AddrReg=5\n"
            "LOADIND Size=LD_32bit, OffsetHalfReg=12, ResultReg=10, AddrReg=5\n"
            "LOADIND Size=LD_16B, OffsetHalfReg=12, ResultReg=15, AddrReg=5");
  EXPECT_EQ(gpr(8), 0xEEEEEE08U);
  EXPECT_EQ(gpr(9), 0xEEEE0807U);
  EXPECT_EQ(gpr(10), 0x08070605U);
  EXPECT_EQ(gpr(12), 0x04030201U);
  EXPECT_EQ(gpr(15), 0x100F0E0DU);
}

TEST_P(ScalarRequests, TheOffsetAdvancesInItsHalfAndWraps) {
  fill(0x1000);
  gpr(5) = 0x100;
  gpr(6) = 0xFFFC0000;
  bench.run(0,
            "LOADIND Size=LD_32bit, OffsetHalfReg=12, OffsetIncrement=INC_2B, ResultReg=8, AddrReg=5\n"
            "LOADIND Size=LD_32bit, OffsetHalfReg=12, OffsetIncrement=INC_4B, ResultReg=9, AddrReg=5\n"
            "LOADIND Size=LD_32bit, OffsetHalfReg=12, OffsetIncrement=INC_16B, ResultReg=10, AddrReg=5\n"
            "STOREIND.L1 Size=LD_8bit, OffsetHalfReg=13, OffsetIncrement=INC_16B, DataReg=8, AddrReg=5");
  EXPECT_EQ(gpr(6), 0x000C0016U);
  EXPECT_EQ(gpr(9), 0x04030201U);   // offset 2
  EXPECT_EQ(gpr(10), 0x08070605U);  // offset 6
}

TEST_P(ScalarRequests, StoreindWritesEachSize) {
  gpr(5) = 0x100;
  gpr(6) = 0x0007;
  for (unsigned i = 0; i < 4; ++i)
    gpr(8 + i) = 0xA3A2A1A0U + i;
  bench.run(0, "STOREIND.L1 Size=LD_16B, OffsetHalfReg=12, DataReg=10, AddrReg=5");
  EXPECT_EQ(bench.word(0x1000), 0xA3A2A1A0U);
  EXPECT_EQ(bench.word(0x100C), 0xA3A2A1A3U);
  gpr(6) = 0x0017;
  gpr(8) = 0x44332211;
  bench.run(0,
            "STOREIND.L1 Size=LD_32bit, OffsetHalfReg=12, OffsetIncrement=INC_4B, DataReg=8, AddrReg=5\n"
            "STOREIND.L1 Size=LD_16bit, OffsetHalfReg=12, OffsetIncrement=INC_4B, DataReg=8, AddrReg=5\n"
            "STOREIND.L1 Size=LD_8bit, OffsetHalfReg=12, DataReg=8, AddrReg=5");
  EXPECT_EQ(bench.word(0x1014), 0x44332211U);
  EXPECT_EQ(bench.word(0x1018), 0x22110000U);  // 0x1B, so 0x1A
  EXPECT_EQ(bench.word(0x101C), 0x11000000U);
}

TEST_P(ScalarRequests, ALoadLandsAfterTenCyclesAndItsOwnStoresComeBeforeIt) {
  // LOADIND.md: seven DMANOPs cover a load, whose own three cycles come before them.
  fill(0x1000);
  gpr(5) = 0x100;
  EXPECT_EQ(cycles_until("LOADIND Size=LD_32bit, OffsetHalfReg=0, ResultReg=8, AddrReg=5",
                         [&] { return gpr(8) == 0x04030201U; }),
            10U);
  gpr(8) = 77;
  bench.run(0,
            "STOREIND.L1 Size=LD_32bit, OffsetHalfReg=0, DataReg=8, AddrReg=5\n"
            "LOADIND Size=LD_32bit, OffsetHalfReg=0, ResultReg=9, AddrReg=5");
  EXPECT_EQ(gpr(9), 77U);
}

TEST_P(ScalarRequests, C0WaitsUntilTheRequestIsDone) {
  // W19: LOADIND in t, its last cycle is t + 9; the wait drops in t + 10 and the NOP goes in t + 11.
  gpr(5) = 0x100;
  bench.run(0,
            "LOADIND Size=LD_32bit, OffsetHalfReg=0, ResultReg=8, AddrReg=5\n"
            "STALLWAIT block=STALL_MATH|STALL_SYNC|STALL_TDMA, wait_res=1\nDMANOP");
  EXPECT_EQ(bench.issued(0, 2) - bench.issued(0, 0), 11U);
}

TEST_P(ScalarRequests, FlushdmaKeepsTheUnitUntilTheLoadIsThere) {
  // FLUSHDMA goes in t + 3 and sees the request until t + 9: it ends with t + 10. Another thread's DMANOP waits for it.
  gpr(5) = 0x100;
  bench.tile.coprocessor.push(0, assemble(GetParam(), "LOADIND Size=LD_32bit, ResultReg=8, AddrReg=5"), 0);
  bench.tile.coprocessor.push(0, assemble(GetParam(), "FLUSHDMA ConditionMask=THCON"), 0);
  bench.tile.coprocessor.push(0, assemble(GetParam(), "DMANOP"), 0);
  bench.run(1, "NOP\nNOP\nNOP\nNOP\nDMANOP");
  const Cycle first = bench.issued(0, 0);
  EXPECT_EQ(bench.issued(0, 1) - first, 3U);
  const Cycle other = bench.issued(1, 4) - first;
  const Cycle own = bench.issued(0, 2) - first;
  EXPECT_EQ(std::min(own, other), 11U);
  EXPECT_EQ(std::max(own, other), 12U);
  // Units it is not asked about do not keep it; nor, after two cycles, do those that are idle.
  TensixTile idle(GetParam());
  idle.run(0, "LOADIND Size=LD_32bit, ResultReg=8, AddrReg=5\nFLUSHDMA ConditionMask=UNPACK0|PACK0\nDMANOP");
  EXPECT_EQ(idle.issued(0, 2) - idle.issued(0, 1), 2U);
}

TEST_P(ScalarRequests, AtincgetAddsWithinItsWidthAndReturnsTheOldValueLater) {
  bench.set_word(0x1008, 0xABCD00FE);
  gpr(5) = 0x100;
  gpr(8) = 5;
  const std::string instruction = "ATINCGET IntWidth=7, Ofs=2, InOutReg=8, AddrReg=5";
  // In L1 when a load would be there; back in the GPR when 24 DMANOPs after it have passed (ATINCGET.md).
  EXPECT_EQ(cycles_until(instruction, [&] { return bench.word(0x1008) == 0xABCD0003U; }), 10U);
  EXPECT_EQ(gpr(8), 5U);
  bench.run_on(500);
  EXPECT_EQ(gpr(8), 0xABCD00FEU);
  EXPECT_EQ(bench.tile.now() - bench.issued(0, 0), 27U);
  bench.run(0, "ATINCGET IntWidth=31, Ofs=2, InOutReg=8, AddrReg=5");
  EXPECT_EQ(bench.word(0x1008), 0xABCD0003U + 0xABCD00FEU);
}

TEST_P(ScalarRequests, AtswapStoresTheNamedPieces) {
  fill(0x1000);
  gpr(5) = 0x100;
  for (unsigned i = 0; i < 4; ++i)
    gpr(8 + i) = 0xAAAA0000U + i;
  bench.run(0, "ATSWAP Mask=0x81, DataReg=9, AddrReg=5");
  EXPECT_EQ(bench.word(0x1000), 0x04030000U);
  EXPECT_EQ(bench.word(0x1004), 0x08070605U);
  EXPECT_EQ(bench.word(0x100C), 0xAAAA0E0DU);
  EXPECT_EQ(gpr(9), 0xAAAA0001U);
  bench.run(0, "ATSWAP SingleDataReg=1, Mask=0xFF, DataReg=9, AddrReg=5");
  EXPECT_EQ(bench.word(0x1000), 0U);
  EXPECT_EQ(bench.word(0x1004), 0xAAAA0001U);
}

TEST_P(ScalarRequests, AtcasTakesFifteenCyclesAndRetriesInStepWithThem) {
  gpr(5) = 0x100;
  bench.set_word(0x1004, 3);
  EXPECT_EQ(cycles_until("ATCAS SetVal=9, CmpVal=3, Ofs=1, AddrReg=5", [&] { return bench.word(0x1004) == 9; }), 15U);
  // Not 3 any more: it hangs, and nothing happens by itself. A write in its 20th cycle is seen at the end of the 30th.
  TensixTile other(GetParam());
  other.gpr(5) = 0x100;
  EXPECT_EQ(other.run(0, "ATCAS SetVal=9, CmpVal=3, Ofs=1, AddrReg=5\nDMANOP", 30), tile::Tile::Halt::nothing_left);
  const Cycle first = other.issued(0, 0);
  EXPECT_LT(other.tile.now(), first + 20);
  other.tile.idle_until(first + 20);
  other.set_word(0x1004, 3);
  other.run_on(first + 200);
  EXPECT_EQ(other.word(0x1004), 9U);
  EXPECT_EQ(other.issued(0, 1), first + 30);
}

TEST_P(ScalarRequests, AComparisonThatNobodyEndsIsExplained) {
  gpr(5) = 0x100;
  bench.run(0, "ATCAS SetVal=9, CmpVal=3, Ofs=1, AddrReg=5\nDMANOP", 100);
  const insight::WaitForGraph graph = explain::wait_for_graph(bench.tile, true, [](tile::CoreId) { return nullptr; });
  ASSERT_EQ(graph.agents.size(), 2U);
  const auto what = [&](unsigned agent) {
    return report::text_of(GetParam(), graph.agents[agent].unmet.at(0).condition).what;
  };
  EXPECT_EQ(report::name(graph.agents[0].agent), "T0");
  EXPECT_EQ(what(0), "the Scalar Unit must end what it does");
  EXPECT_EQ(report::name(graph.agents[1].agent), "the Scalar Unit");
  EXPECT_EQ(what(1), "L1 at 0x1004 must become what it compares with");
  EXPECT_TRUE(graph.agents[1].for_ever);
  // Also if no thread has anything left to hold.
  TensixTile alone(GetParam());
  alone.run(0, "ATINCGETPTR Ofs=0, ResultReg=8, AddrReg=5", 100);
  EXPECT_EQ(explain::wait_for_graph(alone.tile, true, [](tile::CoreId) { return nullptr; }).agents.size(), 1U);
}

TEST_P(ScalarRequests, AtincgetptrPopsAndPushesAndWaitsWhileItCannot) {
  // Width 3: a FIFO of four. Read 6, write 2 + 8: four entries, it is full.
  gpr(5) = 0x100;
  bench.set_word(0x1000, 6);
  bench.set_word(0x1004, 7);
  bench.run(0, "ATINCGETPTR IncrLog2=0, IntWidth=3, Ofs=1, ResultReg=8, AddrReg=5");
  EXPECT_EQ(gpr(8), 7U);
  EXPECT_EQ(bench.word(0x1004), 0U);  // wraps at three bits
  bench.run(0, "ATINCGETPTR NoIncr=1, IntWidth=3, Ofs=0, ResultReg=9, AddrReg=5");
  EXPECT_EQ(gpr(9), 6U);
  EXPECT_EQ(bench.word(0x1000), 6U);
  bench.run(0, "ATINCGETPTR IncrLog2=1, IntWidth=3, Ofs=0, ResultReg=9, AddrReg=5");
  EXPECT_EQ(bench.word(0x1000), 0U);
  EXPECT_EQ(bench.run(0, "ATINCGETPTR IncrLog2=0, IntWidth=3, Ofs=0, ResultReg=9, AddrReg=5"),
            tile::Tile::Halt::nothing_left);  // empty
  TensixTile full(GetParam());
  full.set_word(0, 1);
  full.set_word(4, 5);
  EXPECT_EQ(full.run(0, "ATINCGETPTR IntWidth=3, Ofs=1, ResultReg=9, AddrReg=5"), tile::Tile::Halt::nothing_left);
}

TEST_P(ScalarRequests, StoreindToSrcWritesFourValuesOnceTheUnpackersOwnTheBank) {
  // Low halves are sign, mantissa, exponent; high halves BF16. Row 2 of SrcA is address 6 * 4, column 8 is + 2.
  gpr(8) = 0xBF80'8134U;  // -1.0; -, mantissa 1, exponent 0x34
  gpr(9) = 0x4049'7F01U;
  gpr(5) = 6 * 4 + 2;
  gpr(6) = 0x10;  // adds one: column 12
  bench.run(0, "STOREIND.Src OffsetHalfReg=12, OffsetIncrement=INC_16B, DataReg=8, AddrReg=5");
  const auto& row = bench.tile.coprocessor.src_registers.bank(tensix::Src::a, 0)[2];
  EXPECT_EQ(row[12], (1U << 18U | 1U << 11U | 0x34U));
  EXPECT_EQ(row[13], (1U << 18U | 0x7FU));
  EXPECT_EQ(row[14], (0x7FU << 11U | 0x01U));
  EXPECT_EQ(row[15], (0x49U << 11U | 0x80U));
  EXPECT_EQ(gpr(6), 0x20U);
  // SrcB counts from row 0 and the unpacker's own row. Its bank belongs to the Matrix Unit until CLEARDVALID.
  TensixTile busy(GetParam());
  busy.gpr(8) = 0x3F800000;
  busy.gpr(5) = 4;
  busy.tile.coprocessor.unpackers.src_row[1][0] = 16;
  busy.tile.coprocessor.src.matrix_owns[1][0] = true;
  EXPECT_EQ(busy.run(0, "STOREIND.Src StoreToSrcB=1, OffsetHalfReg=12, DataReg=8, AddrReg=5\nDMANOP"),
            tile::Tile::Halt::nothing_left);
  EXPECT_EQ(busy.issued(0, 1), tensix::never);
  busy.tile.coprocessor.src.matrix_owns[1][0] = false;
  busy.tile.coprocessor.state_changed_from_outside();
  busy.run_on(busy.tile.now() + 50);
  EXPECT_EQ(busy.tile.coprocessor.src_registers.bank(tensix::Src::b, 0)[17][1], 0x7FU);
  EXPECT_NE(busy.issued(0, 1), tensix::never);
}

TEST_P(ScalarRequests, StoreindToSrcKnowsItsRows) {
  gpr(8) = 0x3F800000;
  gpr(5) = 4 * (4 + 20);
  bench.run(0, "STOREIND.Src OffsetHalfReg=12, DataReg=8, AddrReg=5");
  EXPECT_TRUE(bench.reported(tensix::DataIssue::scalar_src_row));  // beyond 16
  bench.set_thread("SRCA_SET_SetOvrdWithAddr"_thread_config, 1);
  bench.run(0, "STOREIND.Src OffsetHalfReg=12, DataReg=8, AddrReg=5");
  EXPECT_EQ(bench.tile.coprocessor.src_registers.bank(tensix::Src::a, 0)[20][1], 0x7FU);
  TensixTile low(GetParam());
  low.gpr(8) = 0x3F800000;
  low.gpr(5) = 3 * 4;  // below SrcA's first row: nothing, and nothing to report
  low.run(0, "STOREIND.Src OffsetHalfReg=12, DataReg=8, AddrReg=5");
  EXPECT_EQ(low.tile.coprocessor.src_registers, tensix::SrcRegisters{});
  EXPECT_TRUE(low.tile.coprocessor.reports.empty() || !low.reported(tensix::DataIssue::scalar_src_row));
}

TEST_P(ScalarRequests, Reg2flopWritesConfigurationOfTheThreadsBank) {
  const unsigned base = is_wormhole() ? 52 : 64;
  for (unsigned i = 0; i < 4; ++i)
    gpr(8 + i) = 100 + i;
  bench.run(0,
            "REG2FLOP.Configuration SizeSel=1, ThConCfgIndex=5, InputReg=9\n"
            "REG2FLOP.Configuration SizeSel=0, ThConCfgIndex=10, InputReg=10");
  const auto& bank = bench.tile.coprocessor.config.bank[0];
  EXPECT_EQ(bank[base + 5], 101U);
  EXPECT_EQ(bank[base + 8], 100U);
  EXPECT_EQ(bank[base + 11], 103U);
  EXPECT_EQ(bench.reported(tensix::DataIssue::scalar_flop_blackhole), !is_wormhole());
  bench.run(0, "REG2FLOP.Configuration SizeSel=1, ThConCfgIndex=127, InputReg=9");
  EXPECT_TRUE(bench.reported(tensix::DataIssue::scalar_flop_index));
}

TEST_P(ScalarRequests, Reg2flopWritesAnAddressCounter) {
  gpr(8) = 0x87654321;
  bench.run(0,
            "REG2FLOP.ADC SizeSel=2, Shift8=0, ADCSel=0, Channel=1, XYZW=0, InputReg=8\n"
            "REG2FLOP.ADC SizeSel=3, Shift8=1, ADCSel=2, Cr=1, XYZW=1, InputReg=8\n"
            "REG2FLOP.ADC SizeSel=2, Shift8=1, ADCSel=1, XYZW=2, InputReg=8\n"
            "REG2FLOP.ADC SizeSel=3, Shift8=3, ADCSel=1, OverrideThread=1, ThreadSel=2, XYZW=3, InputReg=8");
  const tensix::Adcs& adcs = bench.tile.coprocessor.adcs;
  EXPECT_EQ(adcs.context[0].unpacker[0].channel[1].x.value, 0x4321U);
  EXPECT_EQ(adcs.context[0].unpacker[0].channel[1].x.cr, 0U);
  EXPECT_EQ(adcs.context[0].packer.channel[0].y.cr, 0x43U);
  EXPECT_EQ(adcs.context[0].packer.channel[0].y.value, 0U);
  EXPECT_EQ(adcs.context[0].unpacker[1].channel[0].z.value, 0U);
  EXPECT_EQ(adcs.context[2].unpacker[1].channel[0].w.value, 0x87U & adcs.context[2].packer.channel[0].w.mask);
}

TEST_P(ScalarRequests, WhatIsBeyondL1IsReportedAndNotTouched) {
  gpr(5) = 0x0FFFFFFF;
  gpr(8) = 42;
  const time::PagedMemory before = bench.tile.l1;
  bench.run(0,
            "LOADIND Size=LD_32bit, OffsetHalfReg=0, ResultReg=8, AddrReg=5\n"
            "STOREIND.L1 Size=LD_16B, OffsetHalfReg=0, DataReg=8, AddrReg=5\n"
            "ATINCGET IntWidth=31, InOutReg=8, AddrReg=5\nATSWAP Mask=0xFF, DataReg=8, AddrReg=5\n"
            "ATCAS AddrReg=5\nATINCGETPTR AddrReg=5");
  EXPECT_TRUE(bench.tile.coprocessor.is_idle());
  EXPECT_TRUE(bench.reported(tensix::DataIssue::l1_range));
  EXPECT_EQ(gpr(8), 42U);
  EXPECT_EQ(bench.tile.l1, before);
}

}  // namespace
}  // namespace tensim::test
