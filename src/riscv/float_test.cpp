#include "riscv/float.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "riscv/table.hpp"

namespace tensim::riscv {
namespace {

constexpr std::uint32_t nan_s = 0x7FC0'0000;
constexpr std::uint32_t inf_s = 0x7F80'0000;
constexpr std::uint32_t minus = 0x8000'0000;
constexpr std::uint32_t one_s = 0x3F80'0000;
constexpr std::uint32_t least_s = 0x0080'0000;  // the least normal number
constexpr std::uint32_t nan_h = 0xFFFF'7E00;
constexpr std::uint32_t one_h = 0xFFFF'3C00;
constexpr std::uint32_t inf_h = 0xFFFF'7C00;

struct Case {
  Op op;
  std::uint32_t a, b, c, result;
};

const std::vector<Case> cases{
    {Op::fadd_s, one_s, 0x4000'0000, 0, 0x4040'0000},
    {Op::fadd_s, one_s, 0x3380'0000, 0, one_s},        // 1 + 2^-24: a tie, to even
    {Op::fadd_s, one_s, 0x3380'0001, 0, 0x3F80'0001},  // just above it
    {Op::fadd_s, inf_s, inf_s | minus, 0, nan_s},
    {Op::fadd_s, one_s, one_s | minus, 0, 0},
    {Op::fadd_s, minus, minus, 0, minus},
    {Op::fadd_s, 0x0000'0001, 0x0000'0001, 0, 0},            // denormal operands are zeros
    {Op::fadd_s, least_s + 1, least_s | minus, 0, 0},        // a denormal result is flushed,
    {Op::fsub_s, least_s, least_s + 1, 0, minus},            // to a zero of its sign
    {Op::fsub_s, 0x7FA0'0000, one_s, 0, nan_s},              // a NaN becomes the canonical one
    {Op::fmul_s, 0x4040'0000, 0x40A0'0000, 0, 0x4170'0000},  // 3 * 5
    {Op::fmul_s, 0x7F00'0000, 0x4000'0000, 0, inf_s},
    {Op::fmul_s, inf_s, 0, 0, nan_s},
    {Op::fmul_s, inf_s, 0x0000'0001, 0, nan_s},
    {Op::fmul_s, minus, one_s, 0, minus},
    {Op::fmul_s, least_s, 0x3F00'0000, 0, 0},
    {Op::fmadd_s, 0x4040'0000, 0x40A0'0000, one_s, 0x4180'0000},   // 3 * 5 + 1
    {Op::fmsub_s, 0x4040'0000, 0x40A0'0000, one_s, 0x4160'0000},   // 3 * 5 - 1
    {Op::fnmsub_s, 0x4040'0000, 0x40A0'0000, one_s, 0xC160'0000},  // -(3 * 5) + 1
    {Op::fnmadd_s, 0x4040'0000, 0x40A0'0000, one_s, 0xC180'0000},  // -(3 * 5) - 1
    {Op::fmadd_s, 0x7F00'0000, 0x4000'0000, 0xFF00'0000, inf_s},   // a fused one would be finite
    {Op::fmadd_s, least_s, 0x0080'0000, one_s, one_s},
    {Op::fsgnj_s, one_s, minus, 0, one_s | minus},
    {Op::fsgnjn_s, one_s, minus, 0, one_s},
    {Op::fsgnjx_s, one_s | minus, minus, 0, one_s},
    {Op::fsgnj_s, 0x7FA0'0001, minus, 0, 0xFFA0'0001},  // bits are moved, NaN or not
    {Op::fmin_s, 0, minus, 0, minus},
    {Op::fmax_s, minus, 0, 0, 0},
    {Op::fmin_s, nan_s, one_s, 0, one_s},
    {Op::fmax_s, one_s, 0x7FA0'0000, 0, one_s},
    {Op::fmin_s, nan_s, 0x7FA0'0001, 0, nan_s},
    {Op::fmin_s, 0xC000'0000, one_s | minus, 0, 0xC000'0000},
    {Op::fcvt_w_s, 0x3FC0'0000, 0, 0, 2},  // 1.5
    {Op::fcvt_w_s, 0x4020'0000, 0, 0, 2},  // 2.5
    {Op::fcvt_w_s, 0xBFC0'0000, 0, 0, 0xFFFF'FFFE},
    {Op::fcvt_w_s, 0x4F00'0000, 0, 0, 0x7FFF'FFFF},  // 2^31
    {Op::fcvt_w_s, 0xCF00'0000, 0, 0, 0x8000'0000},
    {Op::fcvt_w_s, inf_s | minus, 0, 0, 0x8000'0000},
    {Op::fcvt_w_s, nan_s | minus, 0, 0, 0x7FFF'FFFF},
    {Op::fcvt_wu_s, 0x4F80'0000, 0, 0, 0xFFFF'FFFF},
    {Op::fcvt_wu_s, 0x4F7F'FFFF, 0, 0, 0xFFFF'FF00},
    {Op::fcvt_wu_s, 0xBF80'0000, 0, 0, 0},
    {Op::fcvt_wu_s, nan_s, 0, 0, 0xFFFF'FFFF},
    {Op::fmv_x_w, 0x1234'5678, 0, 0, 0x1234'5678},
    {Op::fmv_w_x, 0x1234'5678, 0, 0, 0x1234'5678},
    {Op::feq_s, 0, minus, 0, 1},
    {Op::feq_s, nan_s, nan_s, 0, 0},
    {Op::flt_s, minus, 0, 0, 0},
    {Op::flt_s, 0xC000'0000, one_s | minus, 0, 1},
    {Op::fle_s, one_s, one_s, 0, 1},
    {Op::fle_s, one_s, nan_s, 0, 0},
    {Op::fclass_s, inf_s | minus, 0, 0, 1U << 0U},
    {Op::fclass_s, one_s | minus, 0, 0, 1U << 1U},
    {Op::fclass_s, 0x8000'0001, 0, 0, 1U << 2U},
    {Op::fclass_s, minus, 0, 0, 1U << 3U},
    {Op::fclass_s, 0, 0, 0, 1U << 4U},
    {Op::fclass_s, 1, 0, 0, 1U << 5U},
    {Op::fclass_s, one_s, 0, 0, 1U << 6U},
    {Op::fclass_s, inf_s, 0, 0, 1U << 7U},
    {Op::fclass_s, 0x7F80'0001, 0, 0, 1U << 8U},
    {Op::fclass_s, nan_s, 0, 0, 1U << 9U},
    {Op::fcvt_s_w, 0xFFFF'FFFF, 0, 0, 0xBF80'0000},
    {Op::fcvt_s_w, 0x8000'0000, 0, 0, 0xCF00'0000},
    {Op::fcvt_s_w, 0x0100'0001, 0, 0, 0x4B80'0000},  // 2^24 + 1: a tie
    {Op::fcvt_s_wu, 0xFFFF'FFFF, 0, 0, 0x4F80'0000},
    {Op::fcvt_s_wu, 0, 0, 0, 0},

    {Op::fadd_h, one_h, 0xFFFF'4000, 0, 0xFFFF'4200},
    {Op::fadd_h, one_h, 0x0000'4000, 0, nan_h},  // not NaN-boxed
    {Op::fadd_h, 0xFFFF'0001, 0xFFFF'0001, 0, 0xFFFF'0000},
    {Op::fsub_h, one_h, one_h, 0, 0xFFFF'0000},
    {Op::fmul_h, 0xFFFF'7800, 0xFFFF'4000, 0, inf_h},  // 2^15 * 2
    {Op::fmadd_h, 0xFFFF'4200, 0xFFFF'4500, one_h, 0xFFFF'4C00},
    {Op::fmsub_h, 0xFFFF'4200, 0xFFFF'4500, one_h, 0xFFFF'4B00},
    {Op::fnmsub_h, 0xFFFF'4200, 0xFFFF'4500, one_h, 0xFFFF'CB00},
    {Op::fnmadd_h, 0xFFFF'4200, 0xFFFF'4500, one_h, 0xFFFF'CC00},
    {Op::fsgnj_h, one_h, 0xFFFF'8000, 0, 0xFFFF'BC00},
    {Op::fsgnjn_h, one_h, 0xFFFF'8000, 0, one_h},
    {Op::fsgnjx_h, 0xFFFF'BC00, 0xFFFF'8000, 0, one_h},
    {Op::fmin_h, nan_h, one_h, 0, one_h},
    {Op::fmax_h, 0xFFFF'BC00, one_h, 0, one_h},
    {Op::fcvt_s_h, one_h, 0, 0, one_s},
    {Op::fcvt_s_h, 0xFFFF'0001, 0, 0, 0x3380'0000},  // the least denormal, 2^-24
    {Op::fcvt_s_h, 0x0000'3C00, 0, 0, nan_s},
    {Op::fcvt_h_s, 0x477F'F000, 0, 0, inf_h},  // 65520 rounds beyond the largest
    {Op::fcvt_h_s, 0x477F'EFFF, 0, 0, 0xFFFF'7BFF},
    {Op::fcvt_h_s, 0x3300'0000, 0, 0, 0xFFFF'0000},  // 2^-25: a tie with zero
    {Op::fcvt_h_s, 0x3300'0001, 0, 0, 0xFFFF'0001},
    {Op::fcvt_w_h, 0xFFFF'C100, 0, 0, 0xFFFF'FFFE},  // -2.5
    {Op::fcvt_wu_h, inf_h, 0, 0, 0xFFFF'FFFF},
    {Op::fmv_x_h, 0x1234'8000, 0, 0, 0xFFFF'8000},
    {Op::fmv_h_x, 0x1234'5678, 0, 0, 0xFFFF'5678},
    {Op::feq_h, one_h, one_h, 0, 1},
    {Op::flt_h, one_h, inf_h, 0, 1},
    {Op::fle_h, inf_h, one_h, 0, 0},
    {Op::fclass_h, 0xFFFF'8001, 0, 0, 1U << 2U},
    {Op::fcvt_h_w, 0xFFFF'FFFD, 0, 0, 0xFFFF'C200},
    {Op::fcvt_h_wu, 65535, 0, 0, inf_h},
};

TEST(RiscvFloat, HandChosenOperands) {
  for (const Case& one : cases)
    EXPECT_EQ(compute_float(one.op, one.a, one.b, one.c, HalfFormat::fp16), one.result)
        << std::hex << row(one.op).name << " " << one.a << " " << one.b << " " << one.c;
}

TEST(RiscvFloat, EveryInstructionHasACase) {
  std::set<Op> tested;
  for (const Case& one : cases)
    tested.insert(one.op);
  for (const Row& row : rows)
    EXPECT_EQ(tested.contains(row.op), row.kind == Kind::float_op) << row.name;
}

/// (1 + 2^-23)^2 is 1 + 2^-22 + 2^-46; less 1 + 2^-22, a fused operation leaves 2^-46 and a separate one zero. Here the
/// last of three bits below the addend's sticks: 2^-26.
TEST(RiscvFloat, MultiplyAddIsNeitherFusedNorSeparate) {
  const std::uint32_t factor = 0x3F80'0001;
  EXPECT_EQ(compute_float(Op::fmadd_s, factor, factor, 0xBF80'0002, HalfFormat::fp16), 0x3280'0000U);
}

std::uint32_t flushed(std::uint32_t bits) {
  return (bits & inf_s) != 0 ? bits : bits & minus;
}
std::uint32_t canonical(std::uint32_t bits) {
  return (bits & ~minus) > inf_s ? nan_s : flushed(bits);
}

TEST(RiscvFloat, SumsAndProductsAreCorrectlyRounded) {
  std::mt19937 random(1);  // NOLINT(bugprone-random-generator-seed): the same numbers every time
  for (int i = 0; i < 200'000; ++i) {
    const auto a = static_cast<std::uint32_t>(random());
    auto b = static_cast<std::uint32_t>(random());
    if ((i & 1) != 0) b = (b & 0x80FF'FFFF) | (a & 0x7F00'0000);  // exponents that meet
    const auto host_a = std::bit_cast<float>(flushed(a));
    const auto host_b = std::bit_cast<float>(flushed(b));
    ASSERT_EQ(compute_float(Op::fadd_s, a, b, 0, HalfFormat::fp16),
              canonical(std::bit_cast<std::uint32_t>(host_a + host_b)))
        << std::hex << a << " " << b;
    ASSERT_EQ(compute_float(Op::fmul_s, a, b, 0, HalfFormat::fp16),
              canonical(std::bit_cast<std::uint32_t>(host_a * host_b)))
        << std::hex << a << " " << b;
  }
}

TEST(RiscvFloat, HalvesSurviveWideningAndNarrowing) {
  for (const HalfFormat format : {HalfFormat::fp16, HalfFormat::bf16_nearest, HalfFormat::bf16_towards_zero})
    for (std::uint32_t half = 0; half < 0x1'0000; ++half) {
      const std::uint32_t boxed = half | 0xFFFF'0000;
      if ((compute_float(Op::fclass_h, boxed, 0, 0, format) & 0x300U) != 0) continue;  // NaN
      const std::uint32_t wide = compute_float(Op::fcvt_s_h, boxed, 0, 0, format);
      ASSERT_EQ(compute_float(Op::fcvt_h_s, wide, 0, 0, format), boxed) << std::hex << half;
    }
}

TEST(RiscvFloat, BfloatRoundsAsCfg0Says) {
  // 1.9999999: the nearest is 2, and towards zero lies 1.9921875.
  EXPECT_EQ(compute_float(Op::fcvt_h_s, 0x3FFF'FFFF, 0, 0, HalfFormat::bf16_nearest), 0xFFFF'4000U);
  EXPECT_EQ(compute_float(Op::fcvt_h_s, 0x3FFF'FFFF, 0, 0, HalfFormat::bf16_towards_zero), 0xFFFF'3FFFU);
  // 1 + 1.5 * 2^-7, and the other way round.
  EXPECT_EQ(compute_float(Op::fadd_h, 0xFFFF'3F80, 0xFFFF'3C40, 0, HalfFormat::bf16_nearest), 0xFFFF'3F82U);
  EXPECT_EQ(compute_float(Op::fadd_h, 0xFFFF'3F80, 0xFFFF'3C40, 0, HalfFormat::bf16_towards_zero), 0xFFFF'3F81U);
  EXPECT_EQ(compute_float(Op::fmul_h, 0xFFFF'7F00, 0xFFFF'7F00, 0, HalfFormat::bf16_towards_zero), 0xFFFF'7F7FU);
}

}  // namespace
}  // namespace tensim::riscv
