// SFPLOAD, SFPSTORE and SFPLOADI: addresses, lanes, formats.
#include "arch/config_registers.hpp"
#include "tests/support/vector_bench.hpp"

namespace tensim::test {
namespace {

using namespace tensim::literals;
using tensix::Dst;
using tensix::DstAddressing;

class VectorMemory : public BothArchs {};
TENSIM_BOTH_ARCHS(VectorMemory);

/// Every datum of Dst says where it is.
void number_dst(VectorBench& bench) {
  for (unsigned row = 0; row < Dst::rows; ++row)
    for (unsigned column = 0; column < Dst::columns; ++column)
      bench->dst.bits[row][column] = static_cast<std::uint16_t>(row << 4U | column);
}

TEST_P(VectorMemory, LoadsEvenOrOddColumnsOfFourRows) {
  for (const auto& [address, row, odd] :
       {std::tuple{12U, 12U, 0U}, std::tuple{14U, 12U, 1U}, std::tuple{1021U, 1020U, 0U}}) {
    VectorBench bench(GetParam());
    number_dst(bench);
    bench.run("SFPLOAD VD=0, Mod0=6, Imm10=" + std::to_string(address));
    for (unsigned lane = 0; lane < lane_count; ++lane)
      EXPECT_EQ(bench.lreg(0)[lane], (row + lane / 8) << 4U | (lane % 8 * 2 + odd)) << lane;
  }
}

TEST_P(VectorMemory, AddsCounterAndOffsetsToTheAddress) {
  VectorBench bench(GetParam());
  number_dst(bench);
  bench->rwcs.thread[1].dst.set(32);
  const ConfigField::Place base = "DEST_REGW_BASE_Base"_config.on(GetParam());
  for (auto& bank : bench->config.bank)
    bank[static_cast<std::size_t>(base.word)] = 64U << base.shift;
  const ConfigField::Place offset = "DEST_TARGET_REG_CFG_MATH_Offset"_thread_config.on(GetParam());
  bench->config.thread[1][static_cast<std::size_t>(offset.word)] = static_cast<std::uint16_t>(128U << offset.shift);
  bench.run("SFPLOAD VD=0, Mod0=6, Imm10=4");
  EXPECT_EQ(bench.first(0), (4U + 32 + 64 + 128) << 4U);
  // All lanes, and hardly any of the counter.
  bench.enable(0);
  bench.run("SFPLOAD VD=1, Mod0=10, Imm10=4\nSFPLOAD VD=2, Mod0=4, Imm10=4");
  EXPECT_NE(bench.first(1), 0U);
  EXPECT_EQ(bench.first(2), 0U);
}

TEST_P(VectorMemory, StepsTheCounterByTheAddressModifier) {
  VectorBench bench(GetParam());
  number_dst(bench);
  const unsigned word = is_blackhole() ? 28 + 2 : 23 + 2;  // ADDR_MOD_DST_SEC2
  bench->config.thread[1][word] = 8;
  bench.run("SFPLOAD VD=0, Mod0=6, AddrMod=2\nSFPLOAD VD=1, Mod0=6, AddrMod=2\nSFPSTORE VD=9, Mod0=6, AddrMod=2");
  EXPECT_EQ(bench.first(0), 0U);
  EXPECT_EQ(bench.first(1), 8U << 4U);
  EXPECT_EQ(bench->dst.bits[16][0], 0U);
  EXPECT_EQ(bench->rwcs.thread[1].dst.value, 24U);
}

struct FormatExample {
  unsigned mod;
  std::uint32_t dst;  // 16 bits, or 32
  bool wide;
  std::uint32_t wormhole, blackhole;
};

TEST_P(VectorMemory, ConvertsWhatItLoads) {
  constexpr std::uint32_t old = 0xAAAA5555;
  const FormatExample examples[]{
      {1, 0x8020 | 0x000F, false, 0xBF802000, 0xBF802000},  // FP16: sign, 1 of mantissa, exponent 15
      {1, 0x0020, false, 0x00002000, 0x00002000},           // a denormal
      {1, 0x7FFF, false, 0x47FFE000, 0x47FFE000},
      {2, 0xC980, false, 0xC0490000, 0xC0490000},  // BF16: sign, 0x49, exponent 0x80
      {3, 0xC9800FDB, true, 0xC0490FDB, 0xC0490FDB},
      {4, 0xC9800FDB, true, 0xC0490FDB, 0xC0490FDB},
      {5, 0x9FF0, false, 0x8000007F, 0x800000FF},  // seven bits of magnitude, or eight
      {6, 0x9FF0, false, 0x00009FF0, 0x00009FF0},
      {7, 0x9FF0, false, 0x9FF00000, 0x9FF00000},
      {8, 0x9FF0, false, 0x80001FF0, 0x80001FF0},
      {9, 0x9FF0, false, 0x00009FF0, 0x00009FF0},
      {10, 0xC9800FDB, true, 0xC0490FDB, 0xC0490FDB},
      {11, 0x9FF0, false, 0, 0},
      {12, 0x80000005, true, 0xFFFFFFFB, 0x80000005},
      {13, 0x80B0, false, 0xFFFFFFFB, 0x80000005},
      {14, 0x9FF0, false, 0xAAAA9FF0, 0xAAAA9FF0},
      {15, 0x9FF0, false, 0x9FF05555, 0x9FF05555},
  };
  for (const FormatExample& example : examples) {
    VectorBench bench(GetParam());
    bench.fill(0, old);
    for (unsigned row = 0; row < 4; ++row)
      for (unsigned column = 0; column < Dst::columns; ++column)
        if (example.wide)
          bench->dst.set32({}, row, column, example.dst);
        else
          bench->dst.set16({}, row, column, static_cast<std::uint16_t>(example.dst));
    bench.run("SFPLOAD VD=0, Mod0=" + std::to_string(example.mod));
    EXPECT_EQ(bench.lreg(0), number::all_lanes(is_blackhole() ? example.blackhole : example.wormhole)) << example.mod;
  }
}

TEST_P(VectorMemory, ConvertsWhatItStores) {
  struct Example {
    unsigned mod;
    std::uint32_t value;
    bool wide;
    std::uint32_t wormhole, blackhole;
  };
  const Example examples[]{
      {1, 0xBF802000, false, 0x802F, 0x802F},
      {1, 0xBF803FFF, false, 0x802F, 0x802F},  // cut off
      {1, 0x7F800000, false, 0x7FFF, 0x7FFF},
      {1, 0xB8000000, false, 0x8000, 0x8000},  // too small
      {2, 0xC0490FDB, false, 0xC980, 0xC980},
      {2, 0x80012345, false, 0x8000, 0x8000},
      {3, 0xC0490FDB, true, 0xC9800FDB, 0xC9800FDB},
      {3, 0x80012345, true, 0x81002345, 0x80000000},  // Blackhole flushes denormals
      {4, 0x80012345, true, 0x81002345, 0x81002345},
      {5, 0x80000005, false, 0x80B0, 0x80B0},
      {6, 0x12345678, false, 0x5678, 0x5678},
      {7, 0x12345678, true, 0x12345678, 0x12345678},
      {8, 0x80005678, false, 0xD678, 0xD678},
      {9, 0x12345678, true, 0x56781234, 0x56781234},
      {10, 0xC0490FDB, true, 0xC9800FDB, 0xC9800FDB},
      {11, 0x12345678, false, 0, 0},
      {12, 0xFFFFFFFB, true, 0x80000005, 0xFFFFFFFB},
      {13, 0xFFFFFFFB, false, 0x80B0, 0xFF70},
      {14, 0x12345678, false, 0x5678, 0x5678},
      {15, 0x12345678, false, 0x1234, 0x1234},
  };
  for (const Example& example : examples) {
    VectorBench bench(GetParam());
    bench.fill(0, example.value);
    bench->dst.bits[0][1] = 0x1111;
    bench.run("SFPSTORE VD=0, Mod0=" + std::to_string(example.mod));
    const std::uint32_t expected = is_blackhole() ? example.blackhole : example.wormhole;
    for (unsigned row = 0; row < 4; ++row)
      for (unsigned column = 0; column < Dst::columns; column += 2)
        EXPECT_EQ(example.wide ? bench->dst.get32({}, row, column) : bench->dst.get16({}, row, column), expected)
            << example.mod;
    EXPECT_EQ(bench->dst.bits[0][1], 0x1111) << "odd columns stay";
  }
}

TEST_P(VectorMemory, TheFormatMayBeConfiguration) {
  for (const auto& [alu, format] : {std::pair{1U << 30U, 3U}, std::pair{5U << 21U, 2U}, std::pair{1U << 21U, 1U},
                                    std::pair{4U << 21U, 2U}, std::pair{14U << 21U, 1U}, std::pair{10U << 21U, 1U}}) {
    VectorBench by_configuration(GetParam());
    VectorBench by_name(GetParam());
    for (auto& bank : by_configuration->config.bank)
      bank[1] = alu;
    for (VectorBench* bench : {&by_configuration, &by_name})
      number_dst(*bench);
    by_configuration.run("SFPLOAD VD=0, Mod0=0, Imm10=64\nSFPSTORE VD=8, Mod0=0, Imm10=128");
    by_name.run("SFPLOAD VD=0, Mod0=" + std::to_string(format) +
                ", Imm10=64\nSFPSTORE VD=8, Mod0=" + std::to_string(format) + ", Imm10=128");
    EXPECT_EQ(by_configuration.lreg(0), by_name.lreg(0)) << format;
    EXPECT_EQ(by_configuration->dst, by_name->dst) << format;
  }
}

TEST_P(VectorMemory, LaneConfigurationBlocksAndExchanges) {
  VectorBench bench(GetParam());
  number_dst(bench);
  bench.fill(0, 0);
  bench.lreg(0)[1] = 0x20;  // BLOCK_SFPU_RD_FROM_DEST
  bench.lreg(0)[2] = 0x40;  // DEST_RD_COL_EXCHANGE
  bench.lreg(0)[3] = 0x10;  // BLOCK_DEST_WR_FROM_SFPU
  bench.lreg(0)[4] = 0x80;  // DEST_WR_COL_EXCHANGE
  bench.run("SFPCONFIG VD=15\nSFPNOP");
  bench.fill(1, 0x7777);
  bench.run("SFPLOAD VD=1, Mod0=6, Imm10=8\nSFPSTORE VD=9, Mod0=6, Imm10=16");
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    const unsigned column = lane % 8;
    const unsigned row = lane / 8;
    EXPECT_EQ(bench.lreg(1)[lane], column == 1 ? 0x7777U : (8 + row) << 4U | (column * 2 + (column == 2 ? 1 : 0)));
    const bool even_written = column != 3 && column != 4;
    EXPECT_EQ(bench->dst.bits[16 + row][column * 2] == 0, even_written) << lane;
    EXPECT_EQ(bench->dst.bits[16 + row][column * 2 + 1] == 0, column == 4) << lane;
  }
}

TEST_P(VectorMemory, CapturesWhereDatumsCameFrom) {
  VectorBench bench(GetParam());
  bench.run("SFPCONFIG Imm16=0xC, VD=15, Mod1=1\nSFPNOP\nSFPLOAD VD=2, Mod0=6, Imm10=22");
  for (unsigned lane = 0; lane < lane_count; ++lane)
    EXPECT_EQ(bench.lreg(6)[lane], (20 + lane / 8) << 4U | (lane % 8 * 2 + 1));
}

TEST_P(VectorMemory, Fp16MayHaveInfinity) {
  VectorBench bench(GetParam());
  bench->dst.bits[0][0] = 0xFFFF;
  bench.run("SFPCONFIG Imm16=1, VD=15, Mod1=1\nSFPNOP\nSFPLOAD VD=0, Mod0=1");
  EXPECT_EQ(bench.first(0), 0xFF800000U);
}

TEST_P(VectorMemory, RowsThatZeroaccHasMarkedAreReportedAndReadAsZeros) {
  VectorBench bench(GetParam());
  number_dst(bench);
  bench->dst.is_undefined[9] = true;
  bench.run("SFPLOAD VD=0, Mod0=6, Imm10=4");
  EXPECT_FALSE(bench.reported(DataIssue::vector_undefined_row));
  bench.run("SFPLOAD VD=0, Mod0=6, Imm10=8");
  EXPECT_TRUE(bench.reported(DataIssue::vector_undefined_row));
  EXPECT_EQ(bench.lreg(0)[8], 0U);
  EXPECT_EQ(bench.lreg(0)[16], 10U << 4U);
  bench.run("SFPSTORE VD=0, Mod0=6, Imm10=8");
  EXPECT_FALSE(bench->dst.is_undefined[9]);
}

TEST_P(VectorMemory, LoadsTooSoonBehindTheMatrixUnitAreReported) {
  for (const unsigned between : {0U, 2U, 3U}) {
    VectorBench bench(GetParam());
    bench->src.matrix_owns[0][0] = bench->src.matrix_owns[1][0] = true;
    bench.run("ELWADD DstRow=8\n" + repeat(between, "SFPNOP") + "\nSFPLOAD VD=0, Mod0=2, Imm10=12");
    EXPECT_EQ(bench.reported(DataIssue::vector_dst_early), between < 3) << between;
  }
}

TEST(VectorMemoryBlackhole, TheStackModeStepsAPointer) {
  VectorBench bench(Arch::blackhole);
  bench->config.thread[1][36] = 8;  // SFPU_STACK_Incr
  bench.fill(0, 1);
  bench.fill(1, 2);
  bench.run("SFPSTORE VD=0, Mod0=10, Imm10=64\nSFPSTORE VD=1, Mod0=10, Imm10=64");
  EXPECT_EQ(bench->dst.get32({}, 64, 0), 1U);
  EXPECT_EQ(bench->dst.get32({}, 72, 0), 2U);
  EXPECT_EQ(bench->vector.stack_pointer[1], 16U);
  bench.run("SFPLOAD VD=2, Mod0=10, Imm10=64\nSFPLOAD VD=3, Mod0=10, Imm10=64\nSFPLOAD VD=4, Mod0=10, Imm10=64");
  EXPECT_EQ(bench.first(2), 2U);
  EXPECT_EQ(bench.first(3), 1U);
  EXPECT_EQ(bench.first(4), 1U);  // it does not go below 0
}

TEST(VectorMemoryBlackhole, DstMayBeRemappedAndSwizzled) {
  VectorBench bench(Arch::blackhole);
  number_dst(bench);
  for (auto& bank : bench->config.bank)
    bank[tensix::dst_access_word] = tensix::dst_remap.bits() | tensix::dst_swizzle.bits();
  const DstAddressing addressing{.remap = true, .swizzle = true};
  bench.number(2, 0, 2);
  bench.run("SFPLOAD VD=0, Mod0=6, Imm10=28\nSFPLOAD VD=1, Mod0=7, Imm10=28\nSFPSTORE VD=2, Mod0=7, Imm10=44");
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    EXPECT_EQ(bench.lreg(0)[lane], bench->dst.get16(addressing, 28 + lane / 8, lane % 8 * 2));
    EXPECT_EQ(bench->dst.get32(addressing, 44 + lane / 8, lane % 8 * 2), lane * 2);
  }
}

TEST_P(VectorMemory, WithoutTheHostsVectorsTheBitsAreTheSame) {
  VectorBench with(GetParam());
  VectorBench without(GetParam());
  without->vector.vectors = number::HostVectors::none;
  for (VectorBench* bench : {&with, &without}) {
    number_dst(*bench);
    bench->run(
        "SFPLOAD VD=0, Mod0=2, Imm10=512\nSFPLOAD VD=1, Mod0=3, Imm10=66\nSFPLOAD VD=2, Mod0=1, Imm10=700\n"
        "SFPMAD VA=0, VB=1, VC=2, VD=3\nSFPNOP\nSFPADD VA=10, VB=3, VC=0, VD=4\nSFPNOP");
    bench->enable(0x5A5A'0FF0);
    bench->run(
        "SFPMUL VA=0, VB=2, VC=9, VD=4\nSFPNOP\nSFPSTORE VD=4, Mod0=2, Imm10=16\nSFPSTORE VD=3, Mod0=3, Imm10=34\n"
        "SFPSTORE VD=0, Mod0=1, Imm10=802\nSFPLOAD VD=5, Mod0=14, Imm10=802\nSFPLOAD VD=6, Mod0=6, Imm10=14");
  }
  EXPECT_EQ(with.registers().lreg, without.registers().lreg);
  EXPECT_EQ(with->dst, without->dst);
  EXPECT_NE(with.lreg(3), with.lreg(9));
}

TEST_P(VectorMemory, SfploadiWidensOrReplacesAHalf) {
  const VectorExample examples[]{
      {"SFPLOADI VD=0, Mod0=0, Imm16=0xC049", 0x12345678, 0, 0, 0xC0490000},
      {"SFPLOADI VD=0, Mod0=1, Imm16=0xBC01", 0x12345678, 0, 0, 0xBF802000},
      {"SFPLOADI VD=0, Mod0=1, Imm16=0x0001", 0x12345678, 0, 0, 0x38002000},
      {"SFPLOADI VD=0, Mod0=2, Imm16=0x8001", 0x12345678, 0, 0, 0x00008001},
      {"SFPLOADI VD=0, Mod0=4, Imm16=0x8001", 0x12345678, 0, 0, 0xFFFF8001},
      {"SFPLOADI VD=0, Mod0=8, Imm16=0x8001", 0x12345678, 0, 0, 0x80015678},
      {"SFPLOADI VD=0, Mod0=10, Imm16=0x8001", 0x12345678, 0, 0, 0x12348001},
  };
  for (const VectorExample& example : examples)
    expect(GetParam(), example);
  VectorBench bench(GetParam());
  bench.fill(0, 5);
  bench.run("SFPLOADI VD=0, Mod0=3, Imm16=7");
  EXPECT_TRUE(bench.reported(DataIssue::vector_mode));
  EXPECT_EQ(bench.first(0), 5U);
}

}  // namespace
}  // namespace tensim::test
