#include "tensix/registers/adc.hpp"

#include <gtest/gtest.h>

#include "tensix/registers/test_words.hpp"

namespace tensim::tensix {
namespace {

template <class Counter>
void expect_counter(const Counter& counter, std::uint32_t value, std::uint32_t cr) {
  EXPECT_EQ(counter.value, value);
  EXPECT_EQ(counter.cr, cr);
}

TEST(Adc, SetadcSetsOneCounterAndItsCopy) {
  Adcs adcs;
  // SETADC: PK (bit 23), channel 1 (bit 20), Y (19:18 = 1), value 0x1234.
  setadc(adcs, 2, 0x50941234);
  expect_counter(adcs.context[2].packer.channel[1].y, 0x1234, 0x1234);
  Adcs expected;
  expected.context[2].packer.channel[1].y.set(0x1234);
  EXPECT_EQ(adcs, expected) << "and nothing else";
}

TEST(Adc, SetadcCutsToTheWidthOfTheCounter) {
  for (const auto& [xyzw, expected] : {std::pair{0U, 0xFFFFU}, {1U, 0x1FFFU}, {2U, 0xFFU}, {3U, 0xFFU}}) {
    Adcs adcs;
    setadc(adcs, 0, word_of("SETADC", {{"U0", 1}, {"XYZW", xyzw}, {"NewValue", 0xFFFF}}));
    const AdcChannel& channel = adcs.context[0].unpacker[0].channel[0];
    EXPECT_EQ(channel.x.value + channel.y.value + channel.z.value + channel.w.value, expected);
  }
}

TEST(Adc, SetadcTopBitsNameAContextAndAreNoPartOfTheValue) {  // ruling 28
  Adcs adcs;
  // Bits 17:16 = 3: the context of thread 2; X has 18 bits, and is set to the other 16.
  setadc(adcs, 0, word_of("SETADC", {{"U1", 1}, {"XYZW", 0}, {"NewValue", 0x300FF}}));
  expect_counter(adcs.context[2].unpacker[1].channel[0].x, 0xFF, 0xFF);
  // Y has 13.
  setadc(adcs, 0, word_of("SETADC", {{"U1", 1}, {"XYZW", 1}, {"NewValue", 0x10006}}));
  expect_counter(adcs.context[0].unpacker[1].channel[0].y, 6, 6);
  EXPECT_EQ(adcs.context[1], AdcContext{});
}

TEST(Adc, OneInstructionCanChangeSeveralSets) {
  Adcs adcs;
  setadc(adcs, 1, word_of("SETADC", {{"PK", 1}, {"U1", 1}, {"U0", 1}, {"XYZW", 3}, {"NewValue", 9}}));
  EXPECT_EQ(adcs.context[1].unpacker[0].channel[0].w.value, 9U);
  EXPECT_EQ(adcs.context[1].unpacker[1].channel[0].w.value, 9U);
  EXPECT_EQ(adcs.context[1].packer.channel[0].w.value, 9U);
  const Adcs before = adcs;
  setadc(adcs, 1, word_of("SETADC", {{"XYZW", 3}, {"NewValue", 1}}));
  EXPECT_EQ(adcs, before) << "or none";
}

TEST(Adc, SetadcxySetsWhatIsEnabled) {
  Adcs adcs;
  // U0 (bit 21), Y1Val 7 (17:15), X1Val 6, Y0Val 5, X0Val 4 (8:6), enables X1 and Y0 (bits 2 and 1).
  setadcxy(adcs, 0, 0x51200000 | 7U << 15 | 6U << 12 | 5U << 9 | 4U << 6 | 0b0110U);
  const auto& channel = adcs.context[0].unpacker[0].channel;
  expect_counter(channel[0].x, 0, 0);
  expect_counter(channel[0].y, 5, 5);
  expect_counter(channel[1].x, 6, 6);
  expect_counter(channel[1].y, 0, 0);
}

TEST(Adc, ThreadOverrideOfXyAndZw) {
  for (isa::Word override_value = 0; override_value < 4; ++override_value) {
    Adcs adcs;
    setadcxy(adcs, 1, word_of("SETADCXY", {{"PK", 1}, {"ThreadOverride", override_value}, {"X0Val", 3}, {"X0", 1}}));
    incadczw(adcs, 1, word_of("INCADCZW", {{"PK", 1}, {"ThreadOverride", override_value}, {"W1Inc", 2}}));
    const unsigned context = override_value == 0 ? 1 : override_value - 1;
    for (unsigned i = 0; i < 3; ++i) {
      EXPECT_EQ(adcs.context[i].packer.channel[0].x.value, i == context ? 3U : 0U);
      EXPECT_EQ(adcs.context[i].packer.channel[1].w.value, i == context ? 2U : 0U);
    }
  }
}

TEST(Adc, IncrementsMoveTheValueAndWrap) {
  Adcs adcs;
  auto& channel = adcs.context[0].unpacker[1].channel;
  channel[0].x.set(0x3FFFF);  // 18 bits
  channel[0].y.set(0x1FFF);   // 13 bits
  channel[1].x.set(10);
  incadcxy(adcs, 0, word_of("INCADCXY", {{"U1", 1}, {"Y1Inc", 7}, {"X1Inc", 1}, {"Y0Inc", 2}, {"X0Inc", 1}}));
  expect_counter(channel[0].x, 0, 0x3FFFF);
  expect_counter(channel[0].y, 1, 0x1FFF);
  expect_counter(channel[1].x, 11, 10);
  expect_counter(channel[1].y, 7, 0);

  channel[0].z.set(0xFF);  // 8 bits
  channel[1].w.set(0xFE);
  incadczw(adcs, 0, word_of("INCADCZW", {{"U1", 1}, {"W1Inc", 7}, {"Z1Inc", 0}, {"W0Inc", 3}, {"Z0Inc", 1}}));
  expect_counter(channel[0].z, 0, 0xFF);
  expect_counter(channel[0].w, 3, 0);
  expect_counter(channel[1].z, 0, 0);
  expect_counter(channel[1].w, 5, 0xFE);
}

TEST(Adc, AddrcrReturnsToAnAdvancedCopy) {
  Adcs adcs;
  auto& channel = adcs.context[0].packer.channel;
  channel[0].x = {.value = 100, .cr = 0x3FFFE};
  channel[0].y = {.value = 50, .cr = 20};
  channel[1].y = {.value = 60, .cr = 0x1FFF};
  addrcrxy(adcs, 0, word_of("ADDRCRXY", {{"PK", 1}, {"X0Inc", 3}, {"Y0Inc", 4}, {"Y1Inc", 1}, {"X0", 1}, {"Y1", 1}}));
  expect_counter(channel[0].x, 1, 1);
  expect_counter(channel[0].y, 50, 20);  // not enabled: an amount alone does nothing
  expect_counter(channel[1].y, 0, 0);

  channel[0].w = {.value = 9, .cr = 250};
  channel[1].z = {.value = 9, .cr = 4};
  addrcrzw(adcs, 0, word_of("ADDRCRZW", {{"PK", 1}, {"W0Inc", 7}, {"W0", 1}, {"Z1", 1}}));
  expect_counter(channel[0].w, 1, 1);
  expect_counter(channel[1].z, 4, 4);  // amount 0: a plain carriage return
}

TEST(Adc, SetadczwSetsWhatIsEnabled) {
  Adcs adcs;
  setadczw(
      adcs, 2,
      word_of("SETADCZW", {{"U0", 1}, {"W1Val", 1}, {"Z1Val", 2}, {"W0Val", 3}, {"Z0Val", 4}, {"W1", 1}, {"Z0", 1}}));
  const auto& channel = adcs.context[2].unpacker[0].channel;
  expect_counter(channel[0].z, 4, 4);
  expect_counter(channel[0].w, 0, 0);
  expect_counter(channel[1].z, 0, 0);
  expect_counter(channel[1].w, 1, 1);
}

TEST(Adc, SetadcxxSetsBothEndsOfTheXRange) {
  Adcs adcs;
  // U0 | U1, X1 = 1023 in 19:10, X0 = 16 in 9:0; bit 20 belongs to no field.
  setadcxx(adcs, 1, 0x5E600000 | 1U << 20 | 1023U << 10 | 16U);
  for (const AdcSet& set : adcs.context[1].unpacker) {
    expect_counter(set.channel[0].x, 16, 16);
    expect_counter(set.channel[1].x, 1023, 1023);
  }
  EXPECT_EQ(adcs.context[1].packer, AdcSet{});
  EXPECT_EQ(adcs.context[0], AdcContext{}) << "there is no thread override";
  EXPECT_EQ(adcs.context[2], AdcContext{});
}

void expect_dispatch(std::string_view name, void (*function)(Adcs&, unsigned, isa::Word)) {
  const isa::Word word = word_of(name, {}) | 0xE0924F;  // all sets, no override, some amounts, all enables
  Adcs direct;
  Adcs dispatched;
  function(direct, 1, word);
  EXPECT_TRUE(apply_adc_instruction(dispatched, 1, word)) << name;
  EXPECT_EQ(direct, dispatched) << name;
  EXPECT_NE(direct, Adcs{}) << name;
}

TEST(Adc, DispatchByOpcode) {
  expect_dispatch("SETADC", setadc);
  expect_dispatch("SETADCXY", setadcxy);
  expect_dispatch("INCADCXY", incadcxy);
  expect_dispatch("ADDRCRXY", addrcrxy);
  expect_dispatch("SETADCZW", setadczw);
  expect_dispatch("INCADCZW", incadczw);
  expect_dispatch("ADDRCRZW", addrcrzw);
  expect_dispatch("SETADCXX", setadcxx);
  Adcs adcs;
  EXPECT_FALSE(apply_adc_instruction(adcs, 0, 0x57FFFFFF));  // SETDVALID
  EXPECT_EQ(adcs, Adcs{});
}

}  // namespace
}  // namespace tensim::tensix
