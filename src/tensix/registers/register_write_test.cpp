// PACR_SETREG and UNPACR_NOP that write registers of the tile. Addresses are worked out by hand from PACR_SETREG.md,
// UNPACR_NOP_SETREG.md, TDMA-RISC.md and assembly.yaml; the register written is T0's base of TDMA-RISC's mover.
#include "tensix/registers/register_write.hpp"

#include "tests/support/tensix_tile.hpp"

namespace tensim::test {
namespace {

using tensix::DataIssue;
using tensix::RegisterBases;

constexpr std::uint32_t mover_base = 0x2C;  // in TDMA-RISC, at 0xFFB11000
/// Both addresses: offset 0x2C as the first, 0x0 as the second.
constexpr std::uint32_t two_bases = mover_base >> 2U;

TEST(RegisterBases, TenBitsOfEachAndTwoMore) {
  RegisterBases bases;
  EXPECT_FALSE(bases.address(0, 0));  // some value, says the page
  bases.set(0x00F2AC0BU);
  EXPECT_EQ(bases.address(0, 0x11), 0xFFB00000U + (3U << 18U) + 0x11000U + (0x00BU << 2U));
  EXPECT_EQ(bases.address(1, 0x3F), 0xFFB00000U + (3U << 18U) + 0x3F000U + (0x0ABU << 2U));
  EXPECT_FALSE(bases.address(2, 0));
  EXPECT_FALSE(bases.address(3, 0));
}

class RegisterWrite : public BothArchs {
 protected:
  TensixTile bench{GetParam()};
  tensix::Packers& packers() { return bench.tile.coprocessor.packers; }
  tensix::Unpackers& unpackers() { return bench.tile.coprocessor.unpackers; }
  std::uint32_t written() const { return bench.tile.devices.tdma.mov_cmd_base[1]; }

  static std::string setreg(const std::string& more = "") {
    return (is_wormhole() ? "PACR_SETREG Push=1, Flush=1, PackSel=15, AddrMid=17"
                          : "PACR_SETREG.Write Push=1, Flush=1, AddrMid=17") +
           more + "\n";
  }
  static std::string nop(unsigned value, const std::string& more = "") {
    return "UNPACR_NOP.SETREG AddrMid=17, Value11=" + std::to_string(value) + more + "\n";
  }
  void set_bases() {
    packers().register_bases.set(two_bases);
    unpackers().set_register_bases(two_bases << 8U | 0x3FU);
  }
};
TENSIM_BOTH_ARCHS(RegisterWrite);

// ---- PACR_SETREG ----

TEST(RegisterWriteWormhole, PacrSetregWritesItsValueAndAboveItAMultiple) {
  TensixTile bench(Arch::wormhole);
  tensix::Packers& packers = bench.tile.coprocessor.packers;
  packers.register_bases.set(two_bases);
  packers.set_scalers(0, 3U | 5U << 9U | 7U << 18U);
  packers.set_scalers(3, 0x1FF);
  constexpr std::array<std::uint32_t, 4> factors{3, 5, 7, 0x1FF};
  for (std::uint32_t format = 0; format < 4; ++format) {
    bench.set("THCON_SEC0_REG1_Out_data_format"_config, format + 4);  // its low two bits choose
    bench.run(2, "PACR_SETREG Push=1, Flush=1, PackSel=15, AddrMid=17, Value10=1000");
    EXPECT_EQ(bench.tile.devices.tdma.mov_cmd_base[1], 1000U + ((1000 * factors[format] & 0x1FFFFU) << 12U));
  }
  EXPECT_FALSE(bench.tile.coprocessor.fault);
  EXPECT_TRUE(bench.tile.coprocessor.is_idle());
}

TEST(RegisterWriteWormhole, AFactorThatNobodySetStopsTheRunUnlessItIsOfNought) {
  TensixTile bench(Arch::wormhole);
  bench.tile.coprocessor.packers.register_bases.set(two_bases);
  bench.tile.devices.tdma.mov_cmd_base[1] = 5;
  bench.run(2, "PACR_SETREG Push=1, Flush=1, PackSel=15, AddrMid=17, Value10=0");
  EXPECT_EQ(bench.tile.devices.tdma.mov_cmd_base[1], 0U);
  bench.run(2, "PACR_SETREG Push=1, Flush=1, PackSel=15, AddrMid=17, Value10=1");
  EXPECT_EQ(bench.fault(), DataIssue::pack_register_write);
}

TEST(RegisterWriteBlackhole, PacrSetregWritesWhatWasPreset) {
  TensixTile bench(Arch::blackhole);
  bench.tile.coprocessor.packers.register_bases.set(two_bases);
  bench.run(2,
            "PACR_SETREG.SetData WrData=0xBEEF\nPACR_SETREG.SetData WrData=0xCAFE, WrDataHalf=1\n"
            "PACR_SETREG.Write Push=1, Flush=1, AddrMid=17");
  EXPECT_EQ(bench.tile.devices.tdma.mov_cmd_base[1], 0xCAFEBEEFU);
  bench.run(2, "PACR_SETREG.SetData WrData=1\nPACR_SETREG.Write Push=1, Flush=1, AddrMid=17");
  EXPECT_EQ(bench.tile.devices.tdma.mov_cmd_base[1], 0xCAFE0001U);
  // No page says where the third address comes from.
  bench.run(2, "PACR_SETREG.Write Push=1, Flush=1, AddrSel=2");
  EXPECT_EQ(bench.fault(), DataIssue::pack_register_write);
}

TEST_P(RegisterWrite, PacrSetregNeedsPushAndFlush) {
  set_bases();
  packers().register_data = 9;
  bench.tile.devices.tdma.mov_cmd_base[1] = 5;
  const std::string form = is_wormhole() ? "PACR_SETREG PackSel=15, " : "PACR_SETREG.Write ";
  bench.run(2, form + "AddrMid=17\n" + form + "Push=1, AddrMid=17\n" + form + "Flush=1, AddrMid=17");
  EXPECT_FALSE(bench.tile.coprocessor.fault);
  EXPECT_EQ(written(), 5U);
}

TEST_P(RegisterWrite, TheSecondAddressIsAnother) {
  packers().register_bases.set(two_bases << 10U);
  bench.tile.devices.tdma.mov_cmd_base[1] = 5;
  bench.run(2, setreg(", AddrSel=1"));
  EXPECT_EQ(written(), 0U);
}

TEST_P(RegisterWrite, WithoutAddressesTheRunStops) {
  bench.run(2, setreg());
  EXPECT_EQ(bench.fault(), DataIssue::pack_register_write);
  TensixTile other(GetParam());
  other.run(0, nop(1));
  EXPECT_EQ(other.fault(), DataIssue::unpack_nop_setreg);
}

TEST_P(RegisterWrite, BelowTheWindowIsUndefinedAndAboveItNothingHappens) {
  packers().register_bases.set(0);
  bench.run(2, is_wormhole() ? "PACR_SETREG Push=1, Flush=1, PackSel=15, AddrMid=16"
                             : "PACR_SETREG.Write Push=1, Flush=1, AddrMid=16");
  EXPECT_TRUE(bench.reported(DataIssue::scalar_mmio_address));
  TensixTile above(GetParam());
  above.tile.coprocessor.packers.register_bases.set(2U << 20U);  // 0xFFB80000
  above.run(2, setreg());
  EXPECT_FALSE(above.tile.coprocessor.fault);
  EXPECT_FALSE(above.reported(DataIssue::scalar_mmio_address));
  EXPECT_TRUE(above.tile.coprocessor.is_idle());
}

TEST_P(RegisterWrite, RegistersOfTheNocThatAreNotModelledFaultByName) {
  packers().register_bases.set((1U << 20U) + 4 * 200);  // of a stream, at 0xFFB40000
  bench.run(2, setreg());
  EXPECT_EQ(bench.fault(), DataIssue::scalar_noc_register);
}

/// Four datums of BF16, half a word of L1, for a packer to hold on to.
std::string half_a_word(TensixTile& bench, std::uint32_t out) {
  bench.set("THCON_SEC0_REG1_Disable_zero_compress"_config, 1);
  bench.set("THCON_SEC0_REG1_L1_Dest_addr"_config, out / 16 - 1);
  for (const ConfigField* field : {&"ALU_FORMAT_SPEC_REG2_Dstacc"_config, &"THCON_SEC0_REG1_In_data_format"_config,
                                   &"THCON_SEC0_REG1_Out_data_format"_config})
    bench.set(*field, 5);
  bench.set("PCK_EDGE_OFFSET_SEC0_mask"_config, 0xFFFF);
  bench.set("PACK_COUNTERS_SEC0_pack_reads_per_xy_plane"_config, 16);
  tensix::Coprocessor& coprocessor = bench.tile.coprocessor;
  for (unsigned column = 0; column < 4; ++column)
    coprocessor.dst.bits[0][column] = static_cast<std::uint16_t>(column + 0x0180);
  coprocessor.adcs.context[2].packer.channel[1].x.set(3);
  return coprocessor.arch == Arch::wormhole ? "PACR PackerMask=1\n" : "PACR ReadIntfSel=1\n";
}

TEST_P(RegisterWrite, PacrSetregFlushesWhatThePackerHolds) {
  constexpr std::uint32_t out = 0x1000;
  set_bases();
  const std::string pack = half_a_word(bench, out);
  bench.set_word(out, 0xEEEEEEEE);
  bench.run(2, pack);
  EXPECT_EQ(bench.word(out), 0xEEEEEEEEU);
  bench.run(2, setreg());
  EXPECT_NE(bench.word(out), 0xEEEEEEEEU);
  EXPECT_EQ(bench.word(out + 12), 0U);  // filled up with zeros
  // And the next begins anew.
  bench.set_word(out, 0);
  bench.run(2, pack + setreg());
  EXPECT_NE(bench.word(out), 0U);
}

TEST_P(RegisterWrite, WhatIsFlushedBeyondL1IsReported) {
  set_bases();
  bench.run(2, half_a_word(bench, 0x1FFFF0) + setreg());
  unsigned reports = 0;
  for (const Report& report : bench.tile.coprocessor.reports)
    if (report.issue == DataIssue::l1_range && isa::opcode_of(report.entry.word) == 0x4A) ++reports;
  EXPECT_EQ(reports, 1U);
}

TEST_P(RegisterWrite, AWaitForThePackersSeesTheWriteUntilItIsThere) {
  // The queue of TDMA-RISC is full: a fifth command waits until there is room, and with it whoever waits for the packers.
  packers().register_bases.set(0x10U >> 2U);  // COMMAND
  packers().register_data = 0x80000089;       // a NOP; Wormhole cannot write that, its value is 0
  if (is_wormhole()) return;
  bench.run(2,
            setreg() + setreg() + setreg() + "STALLWAIT block=STALL_SYNC, cond=PACK0\nSEMINIT max=3, value=1, sem=2");
  EXPECT_TRUE(bench.tile.coprocessor.is_idle());
  EXPECT_FALSE(bench.tile.coprocessor.fault);
  EXPECT_EQ(bench.issued(2, 1) - bench.issued(2, 0), 1U);
}

// ---- UNPACR_NOP ----

TEST_P(RegisterWrite, UnpacrNopWritesItsValue) {
  set_bases();
  bench.run(0, nop(2047));
  EXPECT_EQ(written(), 2047U);
  EXPECT_TRUE(bench.tile.coprocessor.is_idle());
}

TEST_P(RegisterWrite, SumsAreEachUnpackersOwn) {
  set_bases();
  bench.run(0, nop(5, ", Accumulate=1"));
  EXPECT_EQ(written(), 5U);
  bench.run(0, nop(6, ", Accumulate=1"));
  EXPECT_EQ(written(), 11U);
  bench.run(0, nop(3, ", Accumulate=1, WhichUnpacker=1"));
  EXPECT_EQ(written(), 3U);
  EXPECT_EQ(unpackers().register_sum, (std::array<std::uint32_t, 2>{11, 3}));
  bench.run(0, nop(0, ", Accumulate=1"));  // clears, and writes nothing
  EXPECT_EQ(written(), 3U);
  EXPECT_EQ(unpackers().register_sum[0], 0U);
  unpackers().register_sum[0] = 0x1FFFF;  // 17 bits
  bench.run(0, nop(2, ", Accumulate=1"));
  EXPECT_EQ(written(), 1U);
}

TEST_P(RegisterWrite, UnpacrNopWritesWhenEarlierTransfersAreDone) {
  set_bases();
  for (const ConfigField* field : {&"THCON_SEC0_REG0_TileDescriptor"_config, &"THCON_SEC0_REG2_Out_data_format"_config})
    bench.set(*field, 5);
  bench.tile.coprocessor.adcs.context[0].unpacker[0].channel[1].x.set(1023);
  bench.tile.devices.tdma.mov_cmd_base[1] = 77;
  const auto words = isa::assemble(GetParam(), "UNPACR.Regular WhichUnpacker=0\n" + nop(9), "test").words;
  for (const auto& word : words)
    bench.tile.coprocessor.push(0, word.word, 0);
  while (bench.tile.coprocessor.in_flight.is_empty())
    bench.tile.run_until(bench.tile.now() + 1);
  unsigned held = 0;
  while (bench.tile.coprocessor.unpackers.pipes[0].jobs != 0 && held < 1000) {
    if (bench.tile.coprocessor.unpackers.pipes[0].job[0].work == tensix::Unpackers::Work::transfer) {
      EXPECT_EQ(written(), 77U);
    }
    bench.tile.run_until(bench.tile.now() + 1);
    ++held;
  }
  EXPECT_EQ(written(), 9U);
  EXPECT_GT(held, 4U);
}

TEST_P(RegisterWrite, UnpacrNopBelowTheWindowIsReportedAndLost) {
  unpackers().set_register_bases(0);
  bench.run(0, "UNPACR_NOP.SETREG AddrMid=0, Value11=4");
  EXPECT_TRUE(bench.reported(DataIssue::scalar_mmio_address));
  EXPECT_TRUE(bench.tile.coprocessor.is_idle());
}

TEST(RegisterWriteBlackhole, TheThirdAddressOfUnpacrNopIsNotModelled) {
  TensixTile bench(Arch::blackhole);
  bench.tile.coprocessor.unpackers.set_register_bases(two_bases << 8U);
  bench.run(0, "UNPACR_NOP.SETREG AddrMid=17, Value11=4, AddrSel1=1");
  EXPECT_EQ(bench.fault(), DataIssue::unpack_nop_setreg);
}

// ---- run ahead and in lockstep ----

TEST_P(RegisterWrite, CyclesAreTheSameInLockstep) {
  const auto run = [](bool lockstep) {
    auto made = std::make_unique<TensixTile>(GetParam(), lockstep);
    made->tile.coprocessor.packers.register_bases.set(two_bases);
    made->tile.coprocessor.unpackers.set_register_bases(two_bases << 8U);
    const auto words =
        isa::assemble(GetParam(),
                      nop(3, ", Accumulate=1") + setreg() + "NOP\n" + nop(4, ", Accumulate=1, WhichUnpacker=1") +
                          setreg() + "STALLWAIT block=STALL_SYNC, cond=PACK0\nSEMINIT max=3, value=1, sem=2\n" + nop(1),
                      "test");
    EXPECT_TRUE(words.ok());
    for (const auto& word : words.words)
      made->tile.coprocessor.push(0, word.word, 0);
    made->tile.run_until(500);
    return made;
  };
  const auto ahead = run(false);
  const auto walked = run(true);
  ASSERT_EQ(ahead->recorder.issues[0].size(), walked->recorder.issues[0].size());
  for (std::size_t i = 0; i < ahead->recorder.issues[0].size(); ++i)
    EXPECT_EQ(ahead->issued(0, i), walked->issued(0, i)) << i;
  EXPECT_EQ(ahead->tile.devices.tdma.mov_cmd_base, walked->tile.devices.tdma.mov_cmd_base);
  EXPECT_EQ(ahead->tile.devices.tdma.mov_cmd_base[1], 1U);
  EXPECT_EQ(ahead->tile.coprocessor.accounts, walked->tile.coprocessor.accounts);
}

}  // namespace
}  // namespace tensim::test
