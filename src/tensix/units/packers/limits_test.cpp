// Packers' time with L1, what they cannot do and say so, and that no setting leads outside L1.
#include <random>

#include "report/data_issues.hpp"
#include "tensix/footprint.hpp"
#include "tests/support/packing.hpp"

namespace tensim::test {
namespace {

using tensix::DataIssue;

class PackerTime : public BothArchs {};
TENSIM_BOTH_ARCHS(PackerTime);
class PackerLimits : public BothArchs {};
TENSIM_BOTH_ARCHS(PackerLimits);

/// Cycles from the first PACR's acceptance to the end of the last.
Cycle busy(Packing& test, const std::string& text) {
  constexpr Cycle to_the_gate = 2;
  return test.run(text) - to_the_gate;
}

TEST(PackerTimeWormhole, SixteenBytesPerCycleAndPacker) {
  Packing test(Arch::wormhole);
  test.x_range(0, 255);
  EXPECT_EQ(busy(test, "PACR PackerMask=1, Last=1"), 32U) << "512 bytes";
  EXPECT_EQ(busy(test, "PACR PackerMask=15, Last=1"), 32U) << "all four at once";
  EXPECT_EQ(busy(test, "PACR PackerMask=1, Last=1\nPACR PackerMask=2, Last=1"), 33U) << "side by side";
  EXPECT_EQ(busy(test, "PACR PackerMask=1\nPACR PackerMask=1, Last=1"), 64U) << "one behind the other";
  test.formats(5, 6);
  EXPECT_EQ(busy(test, "PACR PackerMask=1, Last=1"), 17U) << "BFP8: 16 words of datums, one of exponents";
  test.formats(5, 15);
  EXPECT_EQ(busy(test, "PACR PackerMask=1, Last=1"), 16U) << "BFP2: a row of Dst a cycle (assumed)";
}

TEST(PackerTimeWormhole, AccumulationTakesFiveTimesAsLong) {
  Packing test(Arch::wormhole);
  test.x_range(0, 255);
  test.set_own(0, "THCON_SEC0_REG1_Pack_L1_Acc"_config, 1);
  EXPECT_EQ(busy(test, "PACR PackerMask=1, Last=1"), 160U);
}

TEST(PackerTimeBlackhole, OnePackerIsAsFastAsWormholesFour) {  // assumed
  Packing test(Arch::blackhole);
  test.x_range(0, 15);
  EXPECT_EQ(busy(test, "PACR Last=1"), 2U) << "128 bytes";
  EXPECT_EQ(busy(test, repeat(16, "PACR")), 32U);
}

TEST_P(PackerTime, L1ChangesInTheLastCycleAndNotBefore) {
  Packing test(GetParam());
  test.fill_rows(0, 64);
  test.x_range(0, is_wormhole() ? 255 : 15);
  test.coprocessor.memory.l1 = test.l1;
  test.coprocessor.push(Packing::thread, assemble(GetParam(), "PACR Last=1"), 0);
  const Cycle last = 2 + (is_wormhole() ? 32 : 2) - 1;
  while (test.coprocessor.now < last)
    test.coprocessor.step();
  EXPECT_EQ(test.byte(Packing::out), Packing::untouched);
  EXPECT_EQ(test.coprocessor.next_event(), last) << "whoever skips cycles stops here";
  test.fill_rows(1, 1);
  test.set_bf16(0, 0, 0x3F80);  // Dst is read in the last cycle, too
  test.coprocessor.step();
  EXPECT_EQ(test.half(Packing::out), 0x3F80);
  ASSERT_EQ(test.coprocessor.memory.changes.size(), 1U);
  EXPECT_EQ(test.coprocessor.memory.changes[0].address, Packing::out);
}

struct Unmodelled {
  const char* what;
  void (*set)(Packing&);
  DataIssue issue;
  const char* pacr = "PACR Last=1";
};

TEST_P(PackerLimits, WhatIsNotModelledStopsTheRunByName) {
  const std::array cases{
      Unmodelled{"metadata", [](Packing& t) { t.set_own(0, "THCON_SEC0_REG1_Enable_out_fifo"_config, 1); },
                 DataIssue::pack_metadata},
      Unmodelled{"shifts by Z",
                 [](Packing& t) {
                   t.formats(14, 14, true);
                   t.set("INT_DESCALE_Enable"_config, 1);
                   t.set("INT_DESCALE_Mode"_config, 1);
                 },
                 DataIssue::pack_descale_mode},
      Unmodelled{"accumulation of BFP8",
                 [](Packing& t) {
                   t.formats(5, 6);
                   t.set_own(0, "THCON_SEC0_REG1_Pack_L1_Acc"_config, 1);
                 },
                 DataIssue::pack_accumulate_format},
      Unmodelled{"PACR_SETREG", [](Packing&) {}, DataIssue::pack_register_write, "PACR_SETREG Push=1, Flush=1"},
  };
  for (const Unmodelled& each : cases) {
    Packing test(GetParam());
    test.x_range(0, 15);
    each.set(test);
    const bool form = is_blackhole() && each.issue == DataIssue::pack_register_write;
    test.run(form ? "PACR_SETREG.Write Push=1, Flush=1" : each.pacr);
    ASSERT_TRUE(test.coprocessor.fault) << each.what;
    EXPECT_EQ(test.coprocessor.fault->issue, each.issue) << each.what;
    EXPECT_FALSE(report::text_of(each.issue).empty());
  }
}

TEST(PackerLimitsBlackhole, APacrThatResetsContextsDoesNothingElse) {
  Packing test(Arch::blackhole);
  test.fill_rows(0, 4);
  test.x_range(0, 15);
  test.set_thread("ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config, 1);
  test.run("PACR CtxtCtrl=2, Last=1");
  EXPECT_FALSE(test.coprocessor.fault);
  EXPECT_EQ(test.byte(Packing::out), Packing::untouched);
  EXPECT_EQ(test.adc().channel[0].y.value, 0U);
}

TEST(PackerLimitsBlackhole, AContextThatIsNotResetIsNotModelled) {
  Packing test(Arch::blackhole);
  test.x_range(0, 15);
  test.run("PACR CtxtCtrl=3, Last=1");
  ASSERT_TRUE(test.coprocessor.fault);
  EXPECT_EQ(test.coprocessor.fault->issue, DataIssue::pack_context_kept);
}

TEST_P(PackerLimits, UndefinedConversionsPackZeros) {
  Packing test(GetParam());
  test.fill_rows(0, 4);
  test.formats(5, 8);  // BF16 to INT32
  test.x_range(0, 15);
  test.run("PACR Last=1\nPACR Last=1");
  EXPECT_TRUE(test.reported(DataIssue::pack_format));
  EXPECT_EQ(test.coprocessor.reports.size(), 1U) << "once";
  EXPECT_EQ(test.word(Packing::out), 0U);
  EXPECT_FALSE(test.coprocessor.fault);
}

TEST_P(PackerLimits, AnEmptyRangeOfXPacksNothing) {
  Packing test(GetParam());
  test.x_range(9, 3);
  test.run("PACR Last=1");
  EXPECT_TRUE(test.reported(DataIssue::pack_x_range));
  EXPECT_EQ(test.byte(Packing::out), Packing::untouched);
}

TEST(PackerLimitsWormhole, MasksThatNoPageListsAreReported) {
  Packing test(Arch::wormhole);
  test.x_range(0, 15);
  test.run("PACR PackerMask=5, Last=1");
  EXPECT_TRUE(test.reported(DataIssue::pack_mask));
  EXPECT_EQ(test.byte(Packing::out + 2 * 0x800), 0) << "packer 2 works";
}

TEST_P(PackerLimits, WhatLiesBeyondL1IsDropped) {
  Packing test(GetParam());
  test.fill_rows(0, 4);
  test.x_range(0, 15);
  test.set_own(0, "THCON_SEC0_REG1_L1_Dest_addr"_config, Packing::l1_bytes / 16 - 2);  // one word fits
  test.run(is_wormhole() ? "PACR PackerMask=1, Last=1" : "PACR ReadIntfSel=1, Last=1");
  EXPECT_TRUE(test.reported(DataIssue::l1_range));
  EXPECT_EQ(test.half(Packing::l1_bytes - 2), Packing::datum(0, 7));
}

TEST_P(PackerLimits, NoSettingsLeadOutside) {
  // Any bits in every word that packers look at, any PACR: changes stay inside L1, and nothing else is touched.
  std::mt19937 random(17);
  const auto bits = [&] { return static_cast<std::uint32_t>(random()); };
  constexpr std::uint32_t pacr_bits = 0x1FFF3;  // all but contexts, which are not modelled
  unsigned wrote = 0;
  for (unsigned round = 0; round < 300; ++round) {
    Packing test(GetParam());
    for (auto& word : test.coprocessor.config.bank[0])
      if (bits() % 4 == 0) word = bits() & bits();
    for (unsigned packer = 0; packer < (is_wormhole() ? 4U : 1U); ++packer) {
      // Any formats and downsampling, no other setting; addresses in L1 and a little beyond.
      if (round % 4 != 0)
        test.set_own(packer, "THCON_SEC0_REG1_L1_Dest_addr"_config, bits() % (Packing::l1_bytes / 16 + 100));
      const auto base = static_cast<std::size_t>("THCON_SEC0_REG1_L1_Dest_addr"_config.on(GetParam()).word);
      constexpr std::array offsets{0U, 28U, 40U, 68U};
      auto& bank = test.coprocessor.config.bank[0];
      bank[base + offsets[packer] + 1] = (bits() & 0xFF0U) | bits() % 2;
      bank[base + offsets[packer] + 2] = bits() & 0xFFFFU;
    }
    for (auto& word : test.coprocessor.config.thread[Packing::thread])
      word = static_cast<std::uint16_t>(bits());
    test.coprocessor.config.thread[Packing::thread][0] = 0;
    test.adc().channel[1].x.set(bits() % (round % 2 == 0 ? 20U : 3000U));
    test.adc().channel[0].x.set(bits() % 16);
    test.coprocessor.memory.l1 = test.l1;
    for (unsigned i = 0; i < 8; ++i)
      test.coprocessor.push(Packing::thread, 0x41000000U | (bits() & pacr_bits), 0);
    for (unsigned i = 0; i < 100'000 && !test.coprocessor.is_idle() && !test.coprocessor.fault; ++i)
      test.coprocessor.step();
    wrote += test.coprocessor.memory.changes.empty() ? 0U : 1U;
    for (const auto& change : test.coprocessor.memory.changes) {
      ASSERT_LE(std::uint64_t{change.address} + change.bytes, Packing::l1_bytes);
      ASSERT_EQ(change.address % 16, 0U);
      ASSERT_EQ(change.bytes % 16, 0U);
    }
  }
  EXPECT_GT(wrote, 30U);
}

TEST_P(PackerLimits, AFootprintNamesTheRowsAndCounters) {
  Packing test(GetParam());
  test.x_range(0, is_wormhole() ? 63 : 15);
  test.adc().channel[0].y.set(6);
  test.set_thread("ADDR_MOD_PACK_SEC0_YsrcIncr"_thread_config, 1);
  const auto rows_read = [&] {
    std::vector<std::pair<unsigned, unsigned>> found;
    const tensix::Candidate pacr{{assemble(GetParam(), "PACR Last=1"), {}}, Packing::thread};
    std::vector<tensix::Access> accesses;
    tensix::Footprint footprint(accesses);
    tensix::units::packer_footprint(test.coprocessor, pacr, footprint);
    for (const tensix::Access& access : accesses)
      if (access.resource == tensix::Resource::dst) found.emplace_back(access.first, access.count);
    return found;
  };
  using Rows = std::vector<std::pair<unsigned, unsigned>>;
  EXPECT_EQ(rows_read(), (Rows{{6, 4}}));
  test.formats(0, 0, true);  // 32 bits: rows 6 and 7, their lower halves, then 16 and 17 and theirs
  EXPECT_EQ(rows_read(), (Rows{{6, 2}, {14, 4}, {24, 2}}));
}

}  // namespace
}  // namespace tensim::test
