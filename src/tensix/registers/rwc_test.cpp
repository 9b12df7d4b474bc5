#include "tensix/registers/rwc.hpp"

#include <gtest/gtest.h>

#include "tensix/registers/test_words.hpp"

namespace tensim::tensix {
namespace {

template <class Counter>
void expect_counter(const Counter& counter, std::uint32_t value, std::uint32_t cr) {
  EXPECT_EQ(counter.value, value);
  EXPECT_EQ(counter.cr, cr);
}

/// Thread 0 with every counter in the middle of a row.
Rwcs in_use() {
  Rwcs rwcs;
  rwcs.thread[0].dst = {.value = 40, .cr = 32};
  rwcs.thread[0].src_a = {.value = 20, .cr = 16};
  rwcs.thread[0].src_b = {.value = 12, .cr = 8};
  rwcs.thread[0].fidelity_phase = 2;
  return rwcs;
}

TEST(Rwc, SetrwcSetsSelectedCounters) {
  Rwcs rwcs = in_use();
  setrwc(rwcs, 0, 0x37000000 | 3U << 14 | 2U << 10 | 1U << 6 | 0b0101U);  // Dst = 3, SrcA = 1; SrcB is not selected
  expect_counter(rwcs.thread[0].dst, 3, 3);
  expect_counter(rwcs.thread[0].src_b, 12, 8);
  expect_counter(rwcs.thread[0].src_a, 1, 1);
  EXPECT_EQ(rwcs.thread[0].fidelity_phase, 2);
  setrwc(rwcs, 0, word_of("SETRWC", {{"Fidelity", 1}}));
  EXPECT_EQ(rwcs.thread[0].fidelity_phase, 0);
  EXPECT_EQ(rwcs.thread[1], Rwc{});
}

TEST(Rwc, SetrwcRelativeToTheCopy) {
  Rwcs rwcs = in_use();
  rwcs.thread[0].src_b.cr = 60;
  setrwc(rwcs, 0,
         word_of("SETRWC", {{"DstCr", 1},
                            {"SrcBCr", 1},
                            {"SrcACr", 1},
                            {"DstVal", 15},
                            {"SrcBVal", 8},
                            {"SrcAVal", 15},
                            {"Dst", 1},
                            {"SrcB", 1},
                            {"SrcA", 1}}));
  expect_counter(rwcs.thread[0].dst, 47, 47);    // 32 + 15: not cut to the four bits of DstVal
  expect_counter(rwcs.thread[0].src_b, 4, 4);    // 60 + 8 in six bits
  expect_counter(rwcs.thread[0].src_a, 31, 31);  // 16 + 15
}

TEST(Rwc, SetrwcCrAloneDoesNothing) {
  Rwcs rwcs = in_use();
  setrwc(
      rwcs, 0,
      word_of("SETRWC", {{"DstCr", 1}, {"SrcBCr", 1}, {"SrcACr", 1}, {"DstVal", 1}, {"SrcBVal", 1}, {"SrcAVal", 1}}));
  EXPECT_EQ(rwcs, in_use());
}

TEST(Rwc, SetrwcCToCrStartsARowHere) {
  Rwcs rwcs = in_use();
  setrwc(rwcs, 0, word_of("SETRWC", {{"DstCtoCr", 1}, {"DstVal", 8}}));  // needs no Dst bit
  expect_counter(rwcs.thread[0].dst, 48, 48);
  setrwc(rwcs, 0, word_of("SETRWC", {{"DstCtoCr", 1}, {"DstCr", 1}, {"DstVal", 0}, {"Dst", 1}}));
  expect_counter(rwcs.thread[0].dst, 48, 48);
  rwcs.thread[0].dst = {.value = 1020, .cr = 5};
  setrwc(rwcs, 0, word_of("SETRWC", {{"DstCtoCr", 1}, {"DstCr", 1}, {"DstVal", 8}, {"Dst", 1}}));
  expect_counter(rwcs.thread[0].dst, 4, 4);  // from the value, not from the copy; ten bits
}

TEST(Rwc, IncrwcStepsOrReturns) {
  Rwcs rwcs = in_use();
  // DstCr (bit 20), DstInc 8 in 17:14, SrcBInc 4, SrcAInc 1
  incrwc(rwcs, 0, 0x38000000 | 1U << 20 | 8U << 14 | 4U << 10 | 1U << 6);
  expect_counter(rwcs.thread[0].dst, 40, 40);
  expect_counter(rwcs.thread[0].src_b, 16, 8);
  expect_counter(rwcs.thread[0].src_a, 21, 16);
}

TEST(Rwc, IncrwcWraps) {
  Rwcs rwcs;
  rwcs.thread[0].dst.set(1023);
  rwcs.thread[0].src_a.set(63);
  rwcs.thread[0].src_b.set(62);
  incrwc(rwcs, 0, word_of("INCRWC", {{"SrcBCr", 1}, {"DstInc", 1}, {"SrcBInc", 15}, {"SrcAInc", 2}}));
  expect_counter(rwcs.thread[0].dst, 0, 1023);
  expect_counter(rwcs.thread[0].src_a, 1, 63);
  expect_counter(rwcs.thread[0].src_b, 13, 13);
}

// ---- Address modifiers. Words by hand from tensix_regs.json: Wormhole AB 7 + 2n, DST 23 + n, BIAS 48 + n, SET 2;
// Blackhole AB 12 + n, DST 28 + n, BIAS 47 + n. ----

struct Preset {
  std::uint16_t ab = 0;
  std::uint16_t dst = 0;
  std::uint16_t bias = 0;
};

void program(BackendConfig& config, Arch arch, unsigned thread, unsigned section, Preset preset) {
  auto& words = config.thread[thread];
  words[arch == Arch::wormhole ? 7 + 2 * section : 12 + section] = preset.ab;
  words[(arch == Arch::wormhole ? 23 : 28) + section] = preset.dst;
  words[(arch == Arch::wormhole ? 48 : 47) + section] = preset.bias;
}

/// What one preset does to the counters of in_use(); the same on both chips.
Rwc after(Preset preset, bool update_fidelity = true) {
  const auto on = [&](Arch arch) {
    BackendConfig config;
    program(config, arch, 0, 3, preset);
    Rwcs rwcs = in_use();
    apply_addr_mod(rwcs, config, arch, 0, 3, update_fidelity);
    return rwcs.thread[0];
  };
  EXPECT_EQ(on(Arch::wormhole), on(Arch::blackhole));
  return on(Arch::wormhole);
}

TEST(AddrMod, ZeroPresetChangesNothing) {
  EXPECT_EQ(after({}), in_use().thread[0]);
}

TEST(AddrMod, Increments) {
  const Rwc rwc = after({.ab = 3 | 63U << 8, .dst = 1023});
  expect_counter(rwc.src_a, 23, 16);
  expect_counter(rwc.src_b, 11, 8);  // 12 + 63 in six bits: minus one
  expect_counter(rwc.dst, 39, 32);   // 40 + 1023 in ten bits: minus one
}

TEST(AddrMod, CarriageReturn) {
  const Rwc rwc = after({.ab = 1U << 6 | 4 | 1U << 14 | 60U << 8, .dst = 1U << 10 | 8});
  expect_counter(rwc.src_a, 20, 20);
  expect_counter(rwc.src_b, 4, 4);  // 8 + 60 in six bits
  expect_counter(rwc.dst, 40, 40);
}

TEST(AddrMod, ClearWinsOverCrAndIncrement) {
  const Rwc rwc = after({.ab = 0xFFFF, .dst = 0x1FFF});
  expect_counter(rwc.src_a, 0, 0);
  expect_counter(rwc.src_b, 0, 0);
  expect_counter(rwc.dst, 0, 0);
}

TEST(AddrMod, DestCToCrWinsOverCr) {
  const Rwc rwc = after({.dst = 1U << 12 | 1U << 10 | 16});
  expect_counter(rwc.dst, 56, 56);  // from the value 40, not from the copy 32
}

TEST(AddrMod, FidelityPhaseHasTwoBitsAndIsOptional) {
  EXPECT_EQ(after({.dst = 1U << 13}).fidelity_phase, 3);
  EXPECT_EQ(after({.dst = 3U << 13}).fidelity_phase, 1);  // 2 + 3 in two bits
  EXPECT_EQ(after({.dst = 7U << 13}).fidelity_phase, 0);  // clear wins
  EXPECT_EQ(after({.dst = 1U << 13 | 8}, false).fidelity_phase, 2) << "SFPLOAD and SFPSTORE leave it alone";
  EXPECT_EQ(after({.dst = 7U << 13 | 8}, false).fidelity_phase, 2);
  expect_counter(after({.dst = 1U << 13 | 8}, false).dst, 48, 32);
}

TEST(AddrMod, BiasTogglesTheExtraBit) {
  EXPECT_EQ(after({.bias = 1}).extra_addr_mod_bit, 1);
  EXPECT_EQ(after({.bias = 2}).extra_addr_mod_bit, 1);
  EXPECT_EQ(after({.bias = 3}).extra_addr_mod_bit, 1) << "by one, whatever the amount";
  EXPECT_EQ(after({.bias = 4}).extra_addr_mod_bit, 0) << "only two bits of BiasIncr count";
  EXPECT_EQ(after({.bias = 0x11}).extra_addr_mod_bit, 0) << "clear wins";
}

TEST(AddrMod, WormholeExtraBitMovesToTheUpperHalfAndBack) {
  BackendConfig config;
  program(config, Arch::wormhole, 0, 1, {.dst = 8, .bias = 1});
  program(config, Arch::wormhole, 0, 5, {.dst = 100, .bias = 1});
  Rwcs rwcs;
  const auto step = [&] {
    apply_addr_mod(rwcs, config, Arch::wormhole, 0, 1, true);
    return rwcs.thread[0].dst.value;
  };
  EXPECT_EQ(step(), 8U);    // preset 1, sets the bit
  EXPECT_EQ(step(), 108U);  // preset 5, toggles it back
  EXPECT_EQ(step(), 116U);  // preset 1
  EXPECT_EQ(rwcs.thread[0].extra_addr_mod_bit, 1);
}

TEST(AddrMod, WormholeSetBaseMovesToTheUpperHalfOnce) {
  BackendConfig config;
  config.thread[1][2] = 1;  // ADDR_MOD_SET_Base
  Rwcs rwcs;
  EXPECT_EQ(addr_mod_section(rwcs, config, Arch::wormhole, 1, 2), 6U);
  EXPECT_EQ(addr_mod_section(rwcs, config, Arch::wormhole, 0, 2), 2U) << "per thread";
  rwcs.thread[1].extra_addr_mod_bit = 1;
  EXPECT_EQ(addr_mod_section(rwcs, config, Arch::wormhole, 1, 2), 6U) << "either or both: plus four";
}

TEST(AddrMod, BlackholeNamesAllEightOutright) {
  BackendConfig config;
  for (auto& thread : config.thread)
    thread[2] = 1;  // DISABLE_IMPLIED_SRCA_FMT_Base there
  Rwcs rwcs;
  rwcs.thread[0].extra_addr_mod_bit = 1;
  for (unsigned index = 0; index < 8; ++index)
    EXPECT_EQ(addr_mod_section(rwcs, config, Arch::blackhole, 0, index), index);

  program(config, Arch::blackhole, 0, 7, {.ab = 5, .dst = 9, .bias = 1});
  apply_addr_mod(rwcs, config, Arch::blackhole, 0, 7, true);
  EXPECT_EQ(rwcs.thread[0].src_a.value, 5U);
  EXPECT_EQ(rwcs.thread[0].dst.value, 9U);
  EXPECT_EQ(rwcs.thread[0].extra_addr_mod_bit, 0);
}

TEST(AddrMod, ThreadsHaveTheirOwnPresetsAndCounters) {
  BackendConfig config;
  program(config, Arch::wormhole, 0, 0, {.dst = 1});
  program(config, Arch::wormhole, 2, 0, {.dst = 2});
  Rwcs rwcs;
  apply_addr_mod(rwcs, config, Arch::wormhole, 2, 0, true);
  EXPECT_EQ(rwcs.thread[0], Rwc{});
  EXPECT_EQ(rwcs.thread[2].dst.value, 2U);
}

}  // namespace
}  // namespace tensim::tensix
