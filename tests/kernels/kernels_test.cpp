// The kernels of examples/guest that compute: the matmul against plain arithmetic in every fidelity, and sums of tiles.
#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/places.hpp"
#include "tests/support/guest_example.hpp"

namespace tensim {
namespace {

using test::GuestExample;
using test::programs_of;
using Outcome = test::GuestExample::Outcome;

constexpr unsigned size = 32;
constexpr tile::Cycle budget = 1'000'000;  // most of it is BRISC's own check
constexpr tile::Cycle budget_of_multiplying = 200'000;

// Where `shared` of examples/guest/matmul has its parts.
enum SharedWord : unsigned { phases_word, largest_word, packed_word, cycles_word, wrong_word };
constexpr std::uint32_t shared_base = 0x20000;
constexpr std::uint32_t tile_bytes = 2 * size * size;
constexpr std::uint32_t left_base = shared_base + 0x20;
constexpr std::uint32_t right_base = left_base + tile_bytes;
constexpr std::uint32_t out_base = right_base + tile_bytes;

GuestExample loaded(Arch arch, std::uint32_t phases, std::uint32_t largest) {
  GuestExample example(arch, programs_of("matmul"), tile::CoreId::brisc);
  const std::array<std::uint32_t, 2> words{phases, largest};
  EXPECT_TRUE(example.tile.write(shared_base, reinterpret_cast<const std::uint8_t*>(words.data()), sizeof words));
  return example;
}

/// An element of a BF16 tile: four faces of 16x16.
double element(const GuestExample& example, std::uint32_t base, unsigned row, unsigned column) {
  const unsigned place = (row / 16 * 2 + column / 16) * 256 + row % 16 * 16 + column % 16;
  std::uint16_t bits = 0;
  std::memcpy(&bits, example.tile.l1.data() + base + 2 * place, sizeof bits);
  return std::bit_cast<float>(std::uint32_t{bits} << 16U);
}

/// The largest distance from the exact product, and the largest in parts of the sum of the products' magnitudes.
struct Errors {
  double absolute = 0;
  double relative = 0;
};
Errors errors_of(const GuestExample& example) {
  Errors errors;
  for (unsigned row = 0; row < size; ++row)
    for (unsigned column = 0; column < size; ++column) {
      double exact = 0;
      double magnitude = 0;
      for (unsigned k = 0; k < size; ++k) {
        const double product = element(example, left_base, row, k) * element(example, right_base, k, column);
        exact += product;
        magnitude += std::abs(product);
      }
      EXPECT_GT(magnitude, 0) << row << ", " << column;
      const double error = std::abs(element(example, out_base, row, column) - exact);
      errors.absolute = std::max(errors.absolute, error);
      errors.relative = std::max(errors.relative, error / magnitude);
    }
  return errors;
}

class GuestKernels : public ::testing::TestWithParam<Arch> {
 protected:
  void SetUp() override {
    if (!TENSIM_HAS_GUEST_COMPILER) GTEST_SKIP() << "no compiler for guests";
  }
};
INSTANTIATE_TEST_SUITE_P(EachChip, GuestKernels, ::testing::Values(Arch::wormhole, Arch::blackhole));

// A phase takes 5 or the other bits of SrcA's 8, and 7 or the other bits of SrcB's. The bound is what is never taken,
// and 1/256 for each of the two additions per phase to Dst, which is BF16.
TEST_P(GuestKernels, MatmulIsRightWithinTheBoundOfItsFidelity) {
  constexpr std::array never_taken{1.0 / 16 + 1.0 / 64, 1.0 / 64, 1.0 / 1024, 0.0};
  for (unsigned phases = 1; phases <= never_taken.size(); ++phases) {
    SCOPED_TRACE(phases);
    GuestExample example = loaded(GetParam(), phases, 0);
    ASSERT_EQ(example.run(budget), Outcome::finished);
    EXPECT_LE(errors_of(example).relative, never_taken[phases - 1] + 2 * phases / 256.0);
    EXPECT_EQ(example.shared(wrong_word), 0U);  // BRISC finds the same
    EXPECT_NE(example.printed().find("0 elements are wrong"), std::string::npos);
  }
}

TEST_P(GuestKernels, OnePhaseOfMatmulIsFasterAndLessExactThanFour) {
  GuestExample one = loaded(GetParam(), 1, 0);
  GuestExample four = loaded(GetParam(), 4, 0);
  one.run(budget_of_multiplying);
  four.run(budget_of_multiplying);
  EXPECT_LT(one.shared(cycles_word), four.shared(cycles_word));
  EXPECT_GT(errors_of(one).relative, 2 * errors_of(four).relative);
}

// Elements from -2/128 to 2/128: every sum has 8 bits at most.
TEST_P(GuestKernels, MatmulIsExactWhereBf16Is) {
  GuestExample example = loaded(GetParam(), 1, 2);
  example.run(budget_of_multiplying);
  ASSERT_EQ(example.shared(packed_word), 1U);
  EXPECT_EQ(errors_of(example).absolute, 0);
}

TEST_P(GuestKernels, MatmulIsTheSameInLockstep) {
  GuestExample ahead = loaded(GetParam(), 4, 0);
  GuestExample lockstep = loaded(GetParam(), 4, 0);
  lockstep.tile.walk_in_lockstep(true);
  ahead.run(budget_of_multiplying);
  lockstep.run(budget_of_multiplying);
  EXPECT_EQ(ahead.shared(packed_word), 1U);
  EXPECT_EQ(ahead.tile.l1, lockstep.tile.l1);
}

// BRISC compares every element, exactly.
TEST_P(GuestKernels, TilesAreAddedInTwoHalvesOfDst) {
  GuestExample example(GetParam(), programs_of("add_tiles"), tile::CoreId::brisc);
  ASSERT_EQ(example.run(2 * budget), Outcome::finished);
  EXPECT_EQ(example.shared(0), 1U);  // packed
  EXPECT_NE(example.printed().find(" 0 elements are wrong"), std::string::npos) << example.printed();
}

}  // namespace
}  // namespace tensim
