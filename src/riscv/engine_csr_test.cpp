// Control and status registers as programs meet them.
#include <gtest/gtest.h>

#include "tests/support/timed_core.hpp"

namespace tensim {
namespace {

using namespace rv;
using riscv::CoreStop;
using test::Code;
using test::operator+;
using test::cycles_of;
using test::li;
using test::TimedCore;
using test::times;
using tile::CoreId;

constexpr Word cfg0 = 0x7C0;
constexpr Word mcycle = 0xB00;
constexpr Word minstret = 0xB02;
constexpr Word nop = addi(zero, zero, 0);
constexpr Word csrr(Word rd, Word csr) {
  return csrrs(rd, csr, zero);
}

/// cfg0 with more bits set than after reset.
Code with_config(std::uint32_t bits) {
  return li(t6, bits) + Code{csrrs(zero, cfg0, t6)};
}

tile::Cycle cycles(const Code& before, const Code& code) {
  return cycles_of(Arch::blackhole, CoreId::brisc, before, code);
}

TEST(CoreCsr, TheCycleCounterCountsCycles) {
  TimedCore timed(Arch::blackhole, CoreId::brisc);
  timed.run(Code{csrr(a0, mcycle)} + times(10, {nop}) + Code{csrr(a1, mcycle)});
  const auto x = [&](unsigned reg) { return timed.x(CoreId::brisc, reg); };
  EXPECT_EQ(x(a1) - x(a0), 10U + cycles({}, {csrr(a0, mcycle)}));
}

TEST(CoreCsr, TheInstructionCounterCountsInstructions) {
  TimedCore timed(Arch::blackhole, CoreId::brisc);
  timed.run(Code{csrr(a0, minstret)} + times(10, {mul(t0, t0, t0)}) + Code{csrr(a1, minstret)});
  EXPECT_EQ(timed.x(CoreId::brisc, a1) - timed.x(CoreId::brisc, a0), 11U);
}

TEST(CoreCsr, CountersCanBeSetAndGoOnFromThere) {
  TimedCore timed(Arch::blackhole, CoreId::brisc);
  timed.run(li(t0, 0xFFFF'FFF0) + Code{csrrw(zero, mcycle, t0)} + times(40, {nop}) +
            Code{csrr(a0, mcycle), csrr(a1, 0xB80), csrr(a2, 0xC80)});
  EXPECT_LT(timed.x(CoreId::brisc, a0), 100U);
  EXPECT_EQ(timed.x(CoreId::brisc, a1), 1U);
  EXPECT_EQ(timed.x(CoreId::brisc, a2), 1U);
}

TEST(CoreCsr, ScratchRegistersKeepWhatIsWrittenAndStartAtZero) {
  for (const Word csr : {0x7C3U, 0x7C4U, 0x7C5U, 0x7C6U}) {
    TimedCore timed(Arch::blackhole, CoreId::trisc2);
    timed.run(li(t0, 0xDEAD'BEEF) + Code{csrrw(a0, csr, t0), csrr(a1, csr)});
    EXPECT_EQ(timed.x(CoreId::trisc2, a0), 0U);
    EXPECT_EQ(timed.x(CoreId::trisc2, a1), 0xDEAD'BEEFU);
  }
}

TEST(CoreCsr, ConstantsIgnoreWrites) {
  for (const auto& [csr, value] : {std::pair{0x300U, 0x8000'6600U}, {0x301U, 0x4020'1123U}, {0xF14U, 0U}}) {
    TimedCore timed(Arch::blackhole, CoreId::trisc1);
    timed.run({addi(t0, zero, -1), csrrw(zero, csr, t0), csrr(a0, csr)});
    EXPECT_EQ(timed.x(CoreId::trisc1, a0), value);
  }
}

TEST(CoreCsr, BitsThatDoNotExistReadZero) {
  for (const auto& [csr, bits] : {std::pair{0x003U, 0xFFU}, {0x320U, 0x18U}}) {
    TimedCore timed(Arch::blackhole, CoreId::brisc);
    timed.run({addi(t0, zero, -1), csrrw(zero, csr, t0), csrr(a0, csr)});
    EXPECT_EQ(timed.x(CoreId::brisc, a0), bits) << std::hex << csr;
  }
}

TEST(CoreCsr, AnUnknownOneStopsTheCore) {
  TimedCore timed(Arch::blackhole, CoreId::brisc);
  timed.run({csrr(a0, 0x305)});
  ASSERT_TRUE(timed.core().stop);
  EXPECT_EQ(timed.core().stop->reason, CoreStop::Reason::no_csr);
}

TEST(CoreCsr, WormholeHasNone) {
  TimedCore timed(Arch::wormhole, CoreId::brisc);
  timed.run({csrr(a0, mcycle)});
  ASSERT_TRUE(timed.core().stop);
  EXPECT_EQ(timed.core().stop->reason, CoreStop::Reason::undefined_instruction);
}

// ---- cfg0 ----

TEST(CoreCsr, DisLowCashSendsEveryLoadToL1) {
  const Code twice = times(2, {lw(t0, s0, 0), addi(t1, t0, 0)});
  EXPECT_EQ(cycles(li(s0, 0x20000), twice), 9U + 3U);
  EXPECT_EQ(cycles(with_config(1U << 3U) + li(s0, 0x20000), twice), 9U + 9U);
}

TEST(CoreCsr, DisBpForgetsWhatBranchesDid) {
  // A forward branch that is always taken, in a loop.
  const auto rounds = [](int count, std::uint32_t config) {
    const Code loop{addi(t0, zero, count), beq(zero, zero, 4), addi(t0, t0, -1), bne(t0, zero, -8)};
    return cycles(with_config(config), loop);
  };
  EXPECT_EQ(rounds(9, 0) - rounds(8, 0), 3U);
  EXPECT_EQ(rounds(9, 2) - rounds(8, 2), 3U + 4U);
}

TEST(CoreCsr, DisStMergeMakesEveryStoreARequest) {
  Code stores;
  for (int i = 0; i < 32; ++i)
    stores.push_back(sw(t0, s0, 4 * i));
  EXPECT_EQ(cycles(li(s0, 0x20000), stores), 32U);
  EXPECT_GT(cycles(with_config(1U << 12U) + li(s0, 0x20000), stores), 27U * 5U);
}

TEST(CoreCsr, EnBFloatChangesWhatHalvesAre) {
  // One and a half, doubled, as fp16 and as bfloat16.
  constexpr Word fmv_h_x = 0xF4000053 | 1U << 7U | t0 << 15U;                     // f1 from t0
  constexpr Word fadd_h = 0x04007053 | 2U << 7U | 1U << 15U | 1U << 20U;          // f2 = f1 + f1
  constexpr Word fmv_x_h = 0xE4000053 | static_cast<Word>(a0) << 7U | 2U << 15U;  // a0 from f2
  const auto doubled = [&](std::uint32_t half, std::uint32_t config) {
    TimedCore timed(Arch::blackhole, CoreId::brisc);
    timed.run(with_config(config) + li(t0, half) + Code{fmv_h_x, fadd_h, fmv_x_h, addi(a1, a0, 0)});
    return timed.x(CoreId::brisc, a1) & 0xFFFFU;
  };
  EXPECT_EQ(doubled(0x3E00, 0), 0x4200U);
  EXPECT_EQ(doubled(0x3FC0, 1U << 30U), 0x4040U);
}

TEST(CoreCsr, PmacfgPutsAFenceBeforeEveryAccess) {
  const Code stores{sw(t0, s0, 0), sw(t0, s0, 4), sw(t0, s0, 8)};
  const Code fenced = Code{addi(t1, zero, 1), csrrw(zero, 0x7C1, t1)};
  EXPECT_EQ(cycles(li(s0, 0x20000), stores), 3U);
  EXPECT_GT(cycles(fenced + li(s0, 0x20000), stores), 30U);
}

}  // namespace
}  // namespace tensim
