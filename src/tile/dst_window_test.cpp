// The T cores' window on Dst, Blackhole only.
#include "tests/support/core_accesses.hpp"

namespace tensim::test {
namespace {

constexpr std::uint32_t window = 0xFFBD8000;

struct View {
  std::uint32_t format = 0;
  bool no_swizzle = false;
  bool unsigned_int = false;
};

CoreAccesses viewed_as(const View& view, unsigned thread = 0) {
  CoreAccesses cores(Arch::blackhole);
  cores.coprocessor.config.bank[0][3] =
      (view.format << 2U | (view.unsigned_int ? 2U : 0U) | (view.no_swizzle ? 1U : 0U)) << (14 + 5 * thread);
  return cores;
}

/// What is in the first element after a store of `value`, as 16 or 32 raw bits.
std::uint32_t raw(const View& view, std::uint32_t value, unsigned size) {
  CoreAccesses cores = viewed_as(view);
  EXPECT_TRUE(cores.store(CoreId::trisc0, window, value, size).is_done());
  if (size == 4) return std::uint32_t{cores.coprocessor.dst.bits[0][0]} << 16U | cores.coprocessor.dst.bits[8][0];
  return cores.coprocessor.dst.bits[0][0];
}

TEST(DstWindow, WordsAreShuffledIntoDstsLayoutAndBack) {
  // 1.0f: sign 0, exponent 127, mantissa 0. In Dst the upper mantissa bits stand before the exponent.
  EXPECT_EQ(raw({.format = 0}, 0x3F800000, 4), 0x007F0000U);
  EXPECT_EQ(raw({.format = 0}, 0x80400001, 4), 0xC0000001U);
  EXPECT_EQ(raw({.format = 0, .no_swizzle = true}, 0x3F800000, 4), 0x3F800000U);
  EXPECT_EQ(raw({.format = 1}, ~0U, 4), 0x80000001U);          // -1: sign and magnitude
  EXPECT_EQ(raw({.format = 1}, 0x80000000U, 4), 0xFFFFFFFFU);  // clamped to -(2^31 - 1)
}

TEST(DstWindow, HalvesAndBytes) {
  EXPECT_EQ(raw({.format = 2}, 0x3C00, 2), 0x000FU);                        // 1.0 as FP16
  EXPECT_EQ(raw({.format = 3}, 0x3F80, 2), 0x007FU);                        // 1.0 as BF16
  EXPECT_EQ(raw({.format = 4}, 0xFFFF, 2), 0x8001U);                        // -1
  EXPECT_EQ(raw({.format = 4}, 0x8000, 2), 0xFFFFU);                        // clamped
  EXPECT_EQ(raw({.format = 4, .unsigned_int = true}, 0xFFFF, 2), 0xFFFFU);  // as it is
  EXPECT_EQ(raw({.format = 5}, 3, 1), 3U << 5U | 16U);                      // magnitude, exponent 16
  EXPECT_EQ(raw({.format = 5}, 0, 1), 0U);                                  // and none for 0
  EXPECT_EQ(raw({.format = 5}, 0xFF, 1), 0x8000U | 0x81U << 5U | 16U);      // hardware's own idea of -1
}

TEST(DstWindow, EveryViewGivesBackWhatWasStored) {
  const std::array<unsigned, 6> size{4, 4, 2, 2, 2, 1};
  for (std::uint32_t format = 0; format < 6; ++format)
    for (const bool no_swizzle : {false, true})
      for (const std::uint32_t value : {0U, 1U, 0x12345678U & 0x7F7F7F7FU, 0x55U}) {
        CoreAccesses cores = viewed_as({.format = format, .no_swizzle = no_swizzle});
        const std::uint32_t stored = size[format] == 4 ? value : value & ((1U << (8 * size[format])) - 1U);
        for (const std::uint32_t index : {0U, 17U, 1000U, 8191U}) {
          EXPECT_TRUE(cores.store(CoreId::trisc0, window + index * size[format], stored, size[format]).is_done());
          EXPECT_EQ(cores.value(CoreId::trisc0, window + index * size[format], size[format]), stored) << format;
        }
      }
}

TEST(DstWindow, RowsArePermutedByConfiguration) {
  const tensix::DstAddressing remap{.remap = true};
  const tensix::DstAddressing both{.remap = true, .swizzle = true};
  std::vector<bool> seen16(1024), seen32(1024);
  for (unsigned row = 0; row < 1024; ++row)
    seen16[remap.row16(row)] = true;
  EXPECT_EQ(std::ranges::count(seen16, true), 1024);
  EXPECT_EQ(remap.row16(8), 32U);
  EXPECT_EQ(remap.row16(16), 8U);
  for (unsigned row = 0; row < 1024; ++row) {
    EXPECT_EQ(both.row32(row) & 8U, 0U);  // the lower halves are eight rows further
    seen32[both.row32(row)] = true;
  }
  EXPECT_EQ(std::ranges::count(seen32, true), 512);
}

TEST(DstWindow, ABitMakesSixteenBitRowsUpperHalves) {  // DBG_FEATURE_DISABLE bit 11
  CoreAccesses cores = viewed_as({.format = 3});
  EXPECT_TRUE(cores.store(CoreId::trisc0, 0xFFB12068, 1U << 11U).is_done());
  EXPECT_TRUE(cores.store(CoreId::trisc0, window + 2 * 16 * 8, 0x3F80, 2).is_done());
  EXPECT_EQ(cores.coprocessor.dst.bits[16][0], 0x007F);  // row 8 of 32 bits: upper half in row 16
  EXPECT_EQ(cores.coprocessor.dst.bits[8][0], 0U);
  EXPECT_EQ(cores.value(CoreId::trisc0, window + 2 * 16 * 8, 2), 0x3F80U);
}

TEST(DstWindow, EachThreadHasItsOwnViewAndOnlyTCoresHaveOne) {
  CoreAccesses cores = viewed_as({.format = 3}, 1);
  EXPECT_TRUE(cores.store(CoreId::trisc1, window, 0x3F80, 2).is_done());
  EXPECT_EQ(cores.store(CoreId::trisc0, window, 0x3F80, 2).fault, AccessFault::undefined);  // T0's is of words
  EXPECT_EQ(cores.load(CoreId::brisc, window).fault, AccessFault::unmapped);
  EXPECT_EQ(viewed_as({.format = 6}).load(CoreId::trisc0, window).fault, AccessFault::undefined);
  EXPECT_EQ(viewed_as({.format = 3}, 2).load(CoreId::trisc2, window).fault, AccessFault::not_modelled);  // two at once
  EXPECT_EQ(CoreAccesses(Arch::wormhole).load(CoreId::trisc0, window).fault, AccessFault::unmapped);
}

}  // namespace
}  // namespace tensim::test
