// 32 lanes with and without the host's vectors: the same bits, special values included.
#include "number/vector_lanes.hpp"

#include <bit>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "number/vector_approximation.hpp"
#include "number/vector_fma.hpp"
#include "number/vector_functions.hpp"
#include "number/vector_lanes_avx2.hpp"

namespace tensim::number {
namespace {

constexpr std::array<std::uint32_t, 16> special{0,          0x80000000, 1,          0x807FFFFF, 0x00800000, 0x80800000,
                                                0x7F800000, 0xFF800000, 0x7F800001, 0xFFC00000, 0x7F7FFFFF, 0xFF7FFFFF,
                                                0x3F800000, 0xBF800000, 0x3F7FFFFF, 0x00FFFFFF};

class Source {
 public:
  std::uint32_t word() {
    const auto bits = static_cast<std::uint32_t>(random_());
    switch (random_() % 4) {
      case 0: return special[bits % special.size()];
      case 1: return bits;
      default: return (bits & 0x807FFFFFU) | static_cast<std::uint32_t>(107 + random_() % 40) << 23U;
    }
  }
  Lanes lanes() {
    Lanes made;
    for (std::uint32_t& x : made.lane)
      x = word();
    return made;
  }
  LaneMask mask() { return static_cast<LaneMask>(random_()); }

 private:
  std::mt19937 random_{1};
};

class VectorLanes : public ::testing::Test {
 protected:
  void SetUp() override {
    if (host_vectors() == HostVectors::none) GTEST_SKIP() << "this host has no vectors";
  }
  Source source;
};

TEST_F(VectorLanes, MultiplyAddIsTheSameEitherWay) {
  for (unsigned i = 0; i < 20'000; ++i) {
    Lanes a = source.lanes();
    Lanes b = source.lanes();
    Lanes c = source.lanes();
    if (i % 3 == 0)  // close to what the product takes away
      for (unsigned lane = 0; lane < lane_count; ++lane) {
        const float product = std::bit_cast<float>(a[lane]) * std::bit_cast<float>(b[lane]);
        c[lane] = (std::bit_cast<std::uint32_t>(product) ^ 0x80000000U) + source.word() % 8 - 4;
      }
    if (i % 17 == 0)  // products about the smallest exponents, alone or beside as little
      for (unsigned lane = 0; lane < lane_count; ++lane) {
        const std::uint32_t exponent = 1 + lane * 7 % 126;
        a[lane] = (a[lane] & 0x807F'FFFFU) | exponent << 23U;
        b[lane] = (b[lane] & 0x807F'FFFFU) | (125 + i / 17 % 5 - exponent) << 23U;
        c[lane] &= i % 2 == 0 ? 0x8000'0000U : 0x81FF'FFFFU;
      }
    const MadSigns signs{(i & 1U) << 31U, (i & 2U) << 30U};
    for (const Arch arch : {Arch::wormhole, Arch::blackhole}) {
      Lanes scalar;
      Lanes vectors;
      multiply_add(arch, a, b, c, signs, scalar, HostVectors::none);
      multiply_add(arch, a, b, c, signs, vectors, HostVectors::avx2);
      ASSERT_EQ(scalar, vectors);
    }
  }
}

/// Numbers of moderate size, with long and with short mantissas: sums that the host's own multiply-add may compute, and
/// those at the edge of that.
TEST_F(VectorLanes, MultiplyAddOfModerateNumbersIsTheSameEitherWay) {
  std::mt19937 random{2};
  const auto number = [&](unsigned spread) {
    const auto bits = static_cast<std::uint32_t>(random());
    const std::uint32_t kept = random() % 2 == 0 ? 0x807F'FFFFU : 0x807F'FFFFU << random() % 24;
    return (bits & kept & 0x807F'FFFFU) | static_cast<std::uint32_t>(127 - spread / 2 + random() % spread) << 23U;
  };
  for (unsigned i = 0; i < 100'000; ++i) {
    const unsigned spread = i % 2 == 0 ? 2 : i % 32 + 1;
    const unsigned addend_spread = i % 5 == 0 ? 60 : spread;
    Lanes a;
    Lanes b;
    Lanes c;
    for (unsigned lane = 0; lane < lane_count; ++lane) {
      a[lane] = i % 7 == 0 ? 0x3F80'0000U : number(spread);
      b[lane] = number(spread);
      c[lane] = i % 11 == 0 ? 0x8000'0000U * (i % 2) : number(addend_spread);
    }
    if (i % 13 == 0)
      for (unsigned lane = 0; lane < lane_count; lane += 3)
        (i % 2 == 0 ? a : b)[lane] = static_cast<std::uint32_t>(random() % 2) << 31U;
    if (i % 26 == 0)
      for (unsigned lane = 0; lane < lane_count; lane += 2)
        c[lane] = static_cast<std::uint32_t>(random() % 2) << 31U;
    if (i % 3 == 0)  // a few bits are left
      for (unsigned lane = 0; lane < lane_count; ++lane) {
        const float product = std::bit_cast<float>(a[lane]) * std::bit_cast<float>(b[lane]);
        c[lane] = (std::bit_cast<std::uint32_t>(product) ^ 0x80000000U) +
                  static_cast<std::uint32_t>(random() % 256 << random() % 16);
      }
    for (const Arch arch : {Arch::wormhole, Arch::blackhole}) {
      Lanes scalar;
      Lanes vectors;
      multiply_add(arch, a, b, c, {}, scalar, HostVectors::none);
      multiply_add(arch, a, b, c, {}, vectors, HostVectors::avx2);
      ASSERT_EQ(scalar, vectors);
    }
  }
}

TEST_F(VectorLanes, EachChipsOwnMultiplyAddIsTheSameAndKeepsWhatWasThere) {
  for (unsigned i = 0; i < 20'000; ++i) {
    const Lanes a = source.lanes();
    const Lanes b = source.lanes();
    const Lanes c = source.lanes();
    const unsigned turned = i % 4;
    Lanes expected;
    Lanes to = i % 2 == 0 ? a : c;  // in place, too
    const Lanes before = to;
    Lanes old;
    multiply_add(Arch::blackhole, a, b, c, {turned << 31U, turned >> 1U << 31U}, expected, HostVectors::none);
    avx2::multiply_add_on_blackhole(i % 2 == 0 ? to : a, b, i % 2 == 0 ? c : to, to, old, turned);
    ASSERT_EQ(to, expected);
    ASSERT_EQ(old, before);
    to = before;
    multiply_add(Arch::wormhole, a, b, c, {}, expected, HostVectors::none);
    avx2::multiply_add_on_wormhole(i % 2 == 0 ? to : a, b, i % 2 == 0 ? c : to, to, old);
    ASSERT_EQ(to, expected);
    ASSERT_EQ(old, before);
  }
}

TEST_F(VectorLanes, MovesAreTheSameEitherWay) {
  for (unsigned i = 0; i < 2'000; ++i) {
    std::array<std::array<DstBitsRow, 12>, 2> dst;
    for (auto& row : dst[0])
      for (auto& datum : row)
        datum = static_cast<std::uint16_t>(source.word());
    dst[1] = dst[0];
    const Lanes lanes = source.lanes();
    const LaneMask mask = source.mask();
    std::array<Lanes, 2> copied{lanes, lanes};
    std::array<std::array<Lanes, 2>, 2> read;
    for (const HostVectors vectors : {HostVectors::none, HostVectors::avx2}) {
      const auto which = static_cast<std::size_t>(vectors);
      const DstPlace place{dst[which].data(), dst[which].data() + 8, i % 2 != 0};
      write_dst16(place, lanes, mask, vectors);
      read_dst16(place, read[which][0], vectors);
      write_dst32(place, lanes, ~mask, vectors);
      read_dst32(place, read[which][1], vectors);
      copy_lanes(copied[which], read[which][0], mask, vectors);
      exponent_above(read[which][1], vectors);
      copy_lanes(copied[which], read[which][1], ~mask, vectors);
      exponent_below(copied[which], vectors);
    }
    ASSERT_EQ(dst[0], dst[1]);
    ASSERT_EQ(read[0], read[1]);
    ASSERT_EQ(copied[0], copied[1]);
  }
}

TEST_F(VectorLanes, FloatsInOneGoAreThoseInSteps) {
  for (unsigned i = 0; i < 2'000; ++i) {
    std::array<DstBitsRow, 12> stepwise;
    for (auto& row : stepwise)
      for (auto& datum : row)
        datum = static_cast<std::uint16_t>(source.word() >> (i & 16U));
    std::array<DstBitsRow, 12> at_once = stepwise;
    const bool odd = i % 2 != 0;
    const bool flush = i % 3 == 0;
    const DstPlace place{stepwise.data(), stepwise.data() + avx2::low_half_rows, odd};
    Lanes read[2];
    read_dst32(place, read[0], HostVectors::none);
    exponent_above(read[0], HostVectors::none);
    avx2::load_float32(at_once.data(), odd, read[1]);
    ASSERT_EQ(read[0], read[1]);
    read_dst16(place, read[0], HostVectors::none);
    for (std::uint32_t& x : read[0].lane)
      x <<= 16U;
    exponent_above(read[0], HostVectors::none);
    avx2::load_bfloat16(at_once.data(), odd, read[1]);
    ASSERT_EQ(read[0], read[1]);

    const Lanes lanes = source.lanes();
    Lanes placed = lanes;
    for (std::uint32_t& x : placed.lane)
      x = flush || i % 5 == 0 ? flush_denormal(x) : x;
    exponent_below(placed, HostVectors::none);
    if (i % 5 == 0) {
      for (std::uint32_t& x : placed.lane)
        x >>= 16U;
      write_dst16(place, placed, every_lane, HostVectors::none);
      avx2::store_bfloat16(at_once.data(), odd, lanes);
    } else {
      write_dst32(place, placed, every_lane, HostVectors::none);
      (flush ? avx2::store_flushed_float32 : avx2::store_float32)(at_once.data(), odd, lanes);
    }
    ASSERT_EQ(stepwise, at_once);
  }
}

TEST(VectorFma, IsNeitherFusedNorSeparate) {
  const auto mad = [](Arch arch, float x, float y, float z) {
    return std::bit_cast<float>(multiply_add(arch, std::bit_cast<std::uint32_t>(x), std::bit_cast<std::uint32_t>(y),
                                             std::bit_cast<std::uint32_t>(z)));
  };
  for (const Arch arch : {Arch::wormhole, Arch::blackhole}) {
    EXPECT_EQ(mad(arch, 2.0F, 3.0F, 4.0F), 10.0F);
    const float x = 1.0F + 0x1p-23F;
    EXPECT_EQ(mad(arch, x, x, -(1.0F + 0x1p-22F)), 0x1p-26F);  // the sticky bit, taken for a number
    EXPECT_EQ(mad(arch, 0x1p127F, 2.0F, -0x1p127F), std::bit_cast<float>(0x7F800000));  // it overflows by itself
    EXPECT_EQ(mad(arch, 0x1p-100F, 0x1p-100F, 0x1p-126F), 0x1p-126F);
  }
}

TEST(VectorFma, SmallResultsDependOnTheChip) {
  // Just below the smallest normal number: Blackhole rounds up to it, Wormhole only if the bits above suffice.
  const std::uint32_t almost_one = 0x3F7FFFFF;
  const std::uint32_t smallest = 0x00800000;
  EXPECT_EQ(multiply_add(Arch::blackhole, almost_one, smallest, 0), smallest);
  EXPECT_EQ(multiply_add(Arch::wormhole, almost_one, smallest, 0), 0U);
  EXPECT_EQ(multiply_add(Arch::blackhole, almost_one, smallest | 0x80000000U, 0x80000000), smallest | 0x80000000U);
}

TEST(VectorApproximation, IsAsCloseAsDocumented) {
  for (std::uint32_t x = 0x00800000; x < 0x7E800000; x += 0x12345) {
    const double exact = 1.0 / static_cast<double>(std::bit_cast<float>(x));
    const double found = static_cast<double>(std::bit_cast<float>(approximate_reciprocal(x)));
    ASSERT_GT(found, 0.9944 * exact);
    ASSERT_LT(found, 1.0054 * exact);
  }
  for (std::uint32_t x = 0; x < 0x40000000; x += 0x12345) {
    const double exact = std::exp(static_cast<double>(std::bit_cast<float>(x)));
    const double found = static_cast<double>(std::bit_cast<float>(approximate_exponential(x)));
    ASSERT_GT(found, 0.9922 * exact) << std::hex << x;
    ASSERT_LT(found, 1.016 * exact) << std::hex << x;
  }
}

}  // namespace
}  // namespace tensim::number
