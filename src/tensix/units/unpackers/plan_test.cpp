// Unpackers: contexts, counters, address counters and time, by hand from UNPACR_Regular.md.
#include "number/layout.hpp"
#include "tests/support/unpacker_bench.hpp"

namespace tensim::test {
namespace {

using namespace tensim::literals;
using tensix::DataIssue;
using tensix::Src;
using tensix::UnpackIssues;
using tensix::UnpackTransfer;

constexpr unsigned fp32 = 0;
constexpr unsigned bf16 = 5;
constexpr unsigned bfp8 = 6;
constexpr unsigned bfp4 = 7;
constexpr unsigned int8 = 14;
constexpr unsigned bfp2 = 15;

class UnpackerPlan : public BothArchs {
 protected:
  UnpackerBench bench{GetParam()};
  bool blackhole() const { return GetParam() == Arch::blackhole; }
  UnpackTransfer plan(const std::string& operands, unsigned thread = 0) const {
    UnpackIssues issues;
    return plan_unpack(bench.coprocessor, thread, assemble(GetParam(), "UNPACR.Regular " + operands), issues);
  }
  bool has_issue(const std::string& operands, DataIssue issue) const {
    UnpackIssues issues;
    plan_unpack(bench.coprocessor, 0, assemble(GetParam(), "UNPACR.Regular " + operands), issues);
    return std::find(issues.begin(), issues.end(), issue) != issues.end();
  }
  static std::int64_t at(std::uint32_t word) { return std::int64_t{word} * 128; }  // L1 words, in bits
};
TENSIM_BOTH_ARCHS(UnpackerPlan);

TEST_P(UnpackerPlan, TheFirstDatumIsAtWzyx) {
  bench.set_up_tile(bf16, bf16);
  bench.descriptor_word(1) = 3U | 4U << 16U;  // YDim 3, ZDim 4
  bench.adc().channel[0].x.set(5);
  bench.adc().channel[0].y.set(2);
  bench.adc().channel[0].z.set(1);
  bench.adc().channel[0].w.set(6);
  bench.adc().channel[1].x.set(20);
  const UnpackTransfer transfer = plan("WhichUnpacker=0");
  EXPECT_EQ(transfer.datums, 16U);
  EXPECT_EQ(transfer.datums_at, at(UnpackerBench::tile_word + 1) + (((6 * 4 + 1) * 3 + 2) * 256 + 5) * 16);
}

TEST_P(UnpackerPlan, HeaderDigestOffsetAndExponentsComeBeforeTheDatums) {
  bench.set_up_tile(bfp8, bfp8);
  bench.descriptor_word(3) = 2U << 24U;  // DigestSize
  bench.set("THCON_SEC0_REG7_Offset_address"_config, 7);
  const UnpackTransfer transfer = plan("WhichUnpacker=0");
  EXPECT_EQ(transfer.exponents_at, std::int64_t{UnpackerBench::tile_word + 7 + 3} * 16 * 16);
  EXPECT_EQ(transfer.datums_at, at(UnpackerBench::tile_word + 7 + 3 + 4));  // 64 exponents
  // BFP4 and BFP2 can have none; BFP8 always does.
  constexpr std::uint32_t no_exponents = 1U << 5U;
  bench.descriptor_word(0) |= no_exponents;
  EXPECT_EQ(plan("WhichUnpacker=0").datums_at, at(UnpackerBench::tile_word + 7 + 3 + 4));
  bench.set_up_tile(bfp4, bfp4);
  bench.descriptor_word(0) |= no_exponents;
  EXPECT_EQ(plan("WhichUnpacker=0").datums_at, at(UnpackerBench::tile_word + 7 + 3));
}

TEST_P(UnpackerPlan, ContextsHaveAddressesWidthsFormatsAndTargetsOfTheirOwn) {
  bench.set_up_tile(bf16, bf16);
  bench.set("THCON_SEC0_REG4_Base_cntx5_address"_config, 0x300);
  bench.set("THCON_SEC0_REG7_Offset_cntx1_address"_config, 9);
  bench.set("THCON_SEC0_REG5_Tile_x_dim_cntx1"_config, 64);
  bench.set("THCON_SEC0_REG5_Dest_cntx1_address"_config, 96);
  bench.set("THCON_SEC0_REG2_Disable_zero_compress_cntx5"_config, 1);
  bench.set("THCON_SEC0_REG2_Unpack_if_sel_cntx5"_config, 1);
  bench.set("THCON_SEC0_REG2_Ovrd_data_format"_config, 1);
  bench.set("THCON_SEC0_REG7_Unpack_data_format_cntx5"_config, fp32);
  bench.set("THCON_SEC0_REG7_Unpack_out_data_format_cntx5"_config, fp32);
  bench.set_thread("UNPACK_MISC_CFG_CfgContextOffset_0"_thread_config, 2);
  bench.adc().channel[0].z.set(1);
  const UnpackTransfer transfer = plan("WhichUnpacker=0, MultiContextMode=1, ContextNumber=3");
  EXPECT_EQ(transfer.datums_at, at(0x300 + 9 + 1) + std::int64_t{64} * 32);
  EXPECT_EQ(transfer.target, tensix::UnpackTarget::dst);
  EXPECT_TRUE(transfer.is_32b);
  EXPECT_EQ(transfer.out_address, 64U * 2 / 4 + 96);  // Y of bytes of BF16, taken for FP32, and the context's
  EXPECT_FALSE(transfer.is_compressed);
  // Without contexts all of that is the tile's.
  EXPECT_EQ(plan("WhichUnpacker=0").datums_at, at(UnpackerBench::tile_word + 1) + 256 * 16);
}

TEST_P(UnpackerPlan, TheContextsDestinationReplacesSrcAsUnlessAdded) {
  bench.set_up_tile(bf16, bf16);
  bench.set("THCON_SEC0_REG2_Disable_zero_compress_cntx0"_config, 1);
  bench.set("THCON_SEC0_REG5_Dest_cntx0_address"_config, 128);
  EXPECT_EQ(plan("MultiContextMode=1").out_address, 128U);
  bench.set("UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr"_config, 1);
  EXPECT_EQ(plan("MultiContextMode=1").out_address, 128U + 64);
}

TEST_P(UnpackerPlan, XAndYComeFromTheNamedCountersAndTheRestFromTheThreads) {
  bench.set_up_tile(bf16, bf16);
  bench.set("THCON_SEC0_REG2_Disable_zero_compress_cntx0"_config, 1);
  bench.set("THCON_SEC0_REG5_Tile_x_dim_cntx0"_config, 256);
  bench.datums(8, 0, 2);
  bench.adc(0, 2).channel[0].x.set(4);
  bench.adc(0, 2).channel[0].z.set(3);
  bench.adc(0, 0).channel[0].z.set(1);
  const UnpackTransfer transfer = plan("MultiContextMode=1, ContextADC=2");
  EXPECT_EQ(transfer.datums, 4U);
  EXPECT_EQ(transfer.datums_at, at(UnpackerBench::tile_word + 1) + (256 + 4) * 16);
  EXPECT_TRUE(has_issue("MultiContextMode=1, ContextADC=3", DataIssue::unpack_adc));
}

TEST_P(UnpackerPlan, RowSearchTakesRowsOrBlobs) {
  bench.set_up_tile(bf16, bf16);
  bench.adc().channel[0].x.set(5);
  bench.adc().channel[1].x.set(20);
  EXPECT_EQ(plan("RowSearch=1").datums, 20U);  // from 0 to X of channel 1
  // Blobs of an XY plane begin at 0, 3, 5 times 16 datums; XDim ends the last of them.
  bench.descriptor_word(0) |= 3U << 8U;
  bench.descriptor_word(2) = 0x0530U << 16U;
  bench.adc().channel[0].y.set(1);
  bench.adc().channel[0].x.set(1);
  EXPECT_EQ(plan("RowSearch=1").datums, (5U - 3U) * 16);
  EXPECT_EQ(plan("RowSearch=1").datums_at, at(UnpackerBench::tile_word + 1) + std::int64_t{3 * 16 * 16});
  bench.adc().channel[0].x.set(2);
  EXPECT_EQ(plan("RowSearch=1").datums, 256U - 3 * 16);
}

TEST_P(UnpackerPlan, CountersOfTheThreadAndOfTheNamedContextMove) {
  bench.set_up_tile(bf16, bf16);
  bench.set("THCON_SEC0_REG2_Disable_zero_compress_cntx0"_config, 1);
  bench.datums(1, 0, 2);
  bench.run("UNPACR.Regular MultiContextMode=1, ContextADC=2, Ch0YInc=1, Ch0ZInc=2, Ch1YInc=3, Ch1ZInc=1");
  for (const unsigned context : {0U, 2U}) {
    EXPECT_EQ(bench.adc(0, context).channel[0].y.value, 1U);
    EXPECT_EQ(bench.adc(0, context).channel[0].z.value, 2U);
    EXPECT_EQ(bench.adc(0, context).channel[1].y.value, context == 0 ? 5U : 3U);
    EXPECT_EQ(bench.adc(0, context).channel[1].z.value, 1U);
  }
  EXPECT_EQ(bench.adc(0, 1).channel[0].y.value, 0U);
  EXPECT_EQ(bench.adc(1, 0).channel[0].y.value, 0U);
}

TEST_P(UnpackerPlan, TheContextCounterStepsAndIsReset) {
  bench.set_up_tile(bf16, bf16);
  bench.datums(1);
  bench.set("THCON_SEC0_REG2_Context_count"_config, 1);  // two contexts
  auto& counter = bench.coprocessor.unpackers.context_counter[0][0];
  const std::string counted = "UNPACR.Regular MultiContextMode=1, UseContextCounter=1";
  for (const unsigned context : {0U, 1U}) {
    bench.set(*tensix::unpacker_fields::is_uncompressed[context], 1);
    bench.set(*tensix::unpacker_fields::base[context], UnpackerBench::tile_word + context);
  }
  bench.put(UnpackerBench::tile_at, 0x3F80, 2);
  bench.put(UnpackerBench::tile_at + 16, 0x4000, 2);
  bench.set("THCON_SEC0_REG5_Dest_cntx0_address"_config, 64);
  bench.set("THCON_SEC0_REG5_Dest_cntx1_address"_config, 64);
  bench.run(counted);
  EXPECT_EQ(bench.src(Src::a)[0][0], number::src_from_bf16(0x3F80));
  EXPECT_EQ(counter, 1U);
  bench.run(counted);
  EXPECT_EQ(bench.src(Src::a)[0][0], number::src_from_bf16(0x4000));
  EXPECT_EQ(counter, 0U);
  bench.run("UNPACR.IncrementContextCounter WhichUnpacker=0");
  EXPECT_EQ(counter, 1U);
  const int word = "UNPACK_MISC_CFG_CfgContextCntReset_0"_thread_config.on(GetParam()).word;
  bench.run("SETC16 CfgIndex=" + std::to_string(word) + ", NewValue=0");
  EXPECT_EQ(counter, 0U);
}

TEST_P(UnpackerPlan, RowsOfSrcStartAnewWithTheBank) {
  bench.set_up_tile(bf16, bf16);
  bench.datums(16);
  bench.set_thread("SRCA_SET_Base"_thread_config, 1);
  auto& row = bench.coprocessor.unpackers.src_row[0][0];
  bench.set("THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd"_config, 1);
  bench.run("UNPACR.Regular WhichUnpacker=0");
  EXPECT_EQ(row, 32U);  // 16 more, and the base
  bench.run("UNPACR.Regular WhichUnpacker=0, FlipSrc=1");
  EXPECT_EQ(row, 16U);
  row = 5;
  bench.run("SETDVALID FlipSrcA=1");
  EXPECT_EQ(row, 16U);
}

// ---- time ----

/// The cycle in which `file` is the Matrix Unit's, of an UNPACR accepted in 2 (address in 2 and 3, data from 4 on).
Cycle handed_over(UnpackerBench& bench, Src file, const std::string& lines) {
  const isa::Assembly assembly = isa::assemble(bench.arch(), lines, "test");
  for (const auto& word : assembly.words)
    bench.coprocessor.push(0, word.word, 0);
  while (!bench.coprocessor.src.matrix_owns[static_cast<std::size_t>(file)][0] && bench.coprocessor.now < 10'000)
    bench.coprocessor.step();
  return bench.coprocessor.now;
}

struct Speed {
  unsigned format;
  unsigned throttle;
  std::array<unsigned, 2> words_per_cycle;  // of 16 bytes: Wormhole, Blackhole
};

TEST_P(UnpackerPlan, ThroughputIsWhatThrottleModeAndFormatSay) {
  const std::array speeds{Speed{bf16, 0, {1, 1}}, Speed{bf16, 1, {2, 2}}, Speed{bf16, 2, {4, 8}},
                          Speed{int8, 2, {4, 4}}, Speed{bfp2, 2, {1, 1}}};
  for (const Speed& speed : speeds) {
    UnpackerBench one(GetParam());
    one.set_up_tile(speed.format, speed.format);
    one.set("THCON_SEC0_REG2_Throttle_mode"_config, speed.throttle);
    if (blackhole()) one.set("THCON_SEC0_REG1_ovrd_default_throttle_mode"_config, 1);
    const unsigned bytes = speed.format == bf16 ? 2048 : speed.format == int8 ? 1024 : 256 + 64;
    EXPECT_EQ(handed_over(one, Src::a, "UNPACR.Regular FlipSrc=1"),
              4 + bytes / 16 / speed.words_per_cycle[blackhole() ? 1 : 0])
        << speed.format << " " << speed.throttle;
  }
}

TEST_P(UnpackerPlan, OnWormholeTwoUnpackersSlowEachOtherDown) {
  // Both want x2. A: 128 words, from 4; B: 128 words, from 6. A has fetched 4 when B begins, then each gets x1: A's last
  // 124 take until 129, B has 4 left then and takes two cycles for them. Blackhole: 64 cycles each, whatever the other does.
  bench.set_up_tile(bf16, bf16);
  bench.set_up_tile(bf16, bf16, 1);
  for (const unsigned unpacker : {0U, 1U}) {
    bench.set("THCON_SEC0_REG2_Throttle_mode"_config, 1, unpacker);
    if (blackhole()) bench.set("THCON_SEC0_REG1_ovrd_default_throttle_mode"_config, 1, unpacker);
  }
  EXPECT_EQ(handed_over(bench, Src::a,
                        "UNPACR.Regular WhichUnpacker=0, FlipSrc=1\nUNPACR.Regular WhichUnpacker=1, FlipSrc=1"),
            blackhole() ? 68U : 130U);
  EXPECT_EQ(handed_over(bench, Src::b, ""), blackhole() ? 70U : 132U);
}

TEST_P(UnpackerPlan, GrantedSpeedsAreThoseOfTheTable) {
  const auto speed = [&](std::size_t row) { return static_cast<unsigned>(1 / cycles(GetParam(), row)); };
  const auto granted = [&](unsigned own, unsigned other) {
    return tensix::granted_speed(*tensix::unit_timing(GetParam()), own, other);
  };
  EXPECT_EQ(granted(2, 2), speed("unpack_both_x2_per_16b"_cycles));
  EXPECT_EQ(granted(4, 4), speed("unpack_both_x4_per_16b"_cycles));
  EXPECT_EQ(granted(4, 2), speed("unpack_x4_beside_x2_per_16b"_cycles));
  EXPECT_EQ(granted(2, 4), speed("unpack_x2_beside_x4_per_16b"_cycles));
  if (blackhole()) {
    EXPECT_EQ(granted(8, 8), speed("unpack_both_x8_per_16b"_cycles));
  }
  for (const unsigned own : {1U, 2U, 4U}) {
    EXPECT_EQ(granted(own, 1), own);
    EXPECT_EQ(granted(1, own), 1U);
    EXPECT_EQ(granted(own, 0), own);
  }
}

}  // namespace
}  // namespace tensim::test
