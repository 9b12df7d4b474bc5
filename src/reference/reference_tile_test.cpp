#include "reference/reference_tile.hpp"

#include <gtest/gtest.h>

#include "reference/riscv_words.hpp"
#include "tests/places.hpp"

namespace tensim::reference {
namespace {

constexpr std::uint32_t fake_dies = 0x2FFFF0;  // tests/reference/fake_reference.c
constexpr std::uint32_t fake_hangs = 0x2FFFF4;

OpenOptions fake(Arch arch = Arch::blackhole) {
  return {.library = std::string(TENSIM_FAKE_REFERENCES) + (arch == Arch::wormhole ? "/wormhole.so" : "/blackhole.so"),
          .arch = arch};
}

ReferenceTile opened(const OpenOptions& options) {
  auto tile = ReferenceTile::open(options);
  if (const auto* error = std::get_if<Error>(&tile)) ADD_FAILURE() << error->text;
  return std::move(std::get<ReferenceTile>(tile));
}

Error open_error(const OpenOptions& options) {
  auto tile = ReferenceTile::open(options);
  const auto* error = std::get_if<Error>(&tile);
  EXPECT_NE(error, nullptr);
  return error == nullptr ? Error{} : *error;
}

std::uint32_t word_at(ReferenceTile& tile, std::uint32_t address) {
  const auto word = tile.read_word(address);
  if (const auto* error = std::get_if<Error>(&word)) ADD_FAILURE() << error->text;
  return std::holds_alternative<Error>(word) ? 0 : std::get<std::uint32_t>(word);
}

void expect_ok(const std::optional<Error>& error) {
  EXPECT_FALSE(error) << error->text;
}

class ReferenceTileOf : public testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, ReferenceTileOf, testing::Values(Arch::wormhole, Arch::blackhole),
                         [](const auto& chip) { return std::string(name(chip.param)); });

TEST_P(ReferenceTileOf, L1KeepsWhatIsWrittenUpToItsLastWord) {
  ReferenceTile tile = opened(fake(GetParam()));
  expect_ok(tile.write_word(0, 0x12345678));
  expect_ok(tile.write_word(tile.l1_bytes() - 4, 0xCAFE));
  EXPECT_EQ(word_at(tile, 0), 0x12345678U);
  EXPECT_EQ(word_at(tile, tile.l1_bytes() - 4), 0xCAFEU);
}

TEST_P(ReferenceTileOf, WhatIsNotThereIsNotAskedFor) {
  ReferenceTile tile = opened(fake(GetParam()));
  const auto error = tile.write_word(tile.l1_bytes() - 2, 1);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::out_of_range);
  EXPECT_EQ(word_at(tile, 0), 0U) << "the reference has not ended over it";
}

TEST_P(ReferenceTileOf, CoreStartsWhereItIsTold) {
  ReferenceTile tile = opened(fake(GetParam()));
  for (unsigned i = 0; i < tile::core_count; ++i) {
    const auto core = static_cast<tile::CoreId>(i);
    const std::uint32_t pc = 0x30000 + 0x1800 * i;  // half of them need a negative low part
    const std::uint32_t done = 0x20000 + 4 * i;
    const std::array program{rv::lui(rv::a0, 0x20), rv::addi(rv::a1, rv::zero, 7),
                             rv::sw(rv::a1, rv::a0, static_cast<int>(4 * i)), rv::jal(rv::zero, 0)};
    expect_ok(tile.write_words(pc, program));
    expect_ok(tile.set_start(core, pc));
    expect_ok(tile.hold(static_cast<std::uint8_t>(all_cores & ~(1U << i))));
    const auto end = tile.run_until(std::array{Condition{done, 7}}, 100);
    ASSERT_TRUE(std::holds_alternative<RunEnd>(end));
    EXPECT_TRUE(std::get<RunEnd>(end).met) << name(core);
  }
}

TEST(ReferenceTile, CoresAreHeldUntilTheyAreLetGo) {
  ReferenceTile tile = opened(fake());
  const std::array program{rv::lui(rv::a0, 0x20), rv::sw(rv::a0, rv::a0, 0), rv::jal(rv::zero, 0)};
  expect_ok(tile.write_words(0, program));
  expect_ok(tile.clock(10));
  EXPECT_EQ(word_at(tile, 0x20000), 0U);
  expect_ok(tile.hold(all_cores & ~1));
  expect_ok(tile.clock(10));
  EXPECT_EQ(word_at(tile, 0x20000), 0x20000U);
}

TEST(ReferenceTile, RunsUntilEveryWordHasItsValueAndNoFurther) {
  ReferenceTile tile = opened(fake());
  // Counts up in 0x20000, two instructions a round.
  const std::array program{rv::lui(rv::a0, 0x20), rv::addi(rv::a1, rv::a1, 1), rv::sw(rv::a1, rv::a0, 0),
                           rv::jal(rv::zero, -8)};
  expect_ok(tile.write_words(0, program));
  expect_ok(tile.hold(all_cores & ~1));
  const auto end = tile.run_until(std::array{Condition{0x20000, 5}, Condition{0x20004, 0}}, 1000);
  ASSERT_TRUE(std::holds_alternative<RunEnd>(end));
  EXPECT_TRUE(std::get<RunEnd>(end).met);
  EXPECT_EQ(std::get<RunEnd>(end).clocks, 1U + 3 * 5 - 1);
  EXPECT_EQ(word_at(tile, 0x20000), 5U);
}

TEST(ReferenceTile, BudgetEndsARunThatGoesNowhere) {
  ReferenceTile tile = opened(fake());
  const auto end = tile.run_until(std::array{Condition{0x20000, 1}}, 123);
  ASSERT_TRUE(std::holds_alternative<RunEnd>(end));
  EXPECT_FALSE(std::get<RunEnd>(end).met);
  EXPECT_EQ(std::get<RunEnd>(end).clocks, 123U);
}

TEST(ReferenceTile, DstIsReadRowByRow) {
  ReferenceTile tile = opened(fake());
  constexpr std::uint32_t fake_dst = 0xFFBD8000;
  expect_ok(tile.write_word(fake_dst + 32 * 5 + 4 * 3, 0xBBBBAAAA));
  std::array<DstRow, 2> rows{};
  expect_ok(tile.read_dst(5, rows));
  EXPECT_EQ(rows[0][6], 0xAAAA);
  EXPECT_EQ(rows[0][7], 0xBBBB);
  EXPECT_EQ(rows[1], DstRow{});
  EXPECT_TRUE(tile.read_dst(1023, rows));
}

TEST(ReferenceTile, FileThatIsNotThereIsAnError) {
  EXPECT_EQ(open_error({.library = "/no/such/library.so"}).kind, ErrorKind::cannot_load);
}

TEST(ReferenceTile, MissingSymbolIsNamed) {
  const Error error = open_error({.library = std::string(TENSIM_FAKE_REFERENCES) + "/lacks_clock.so"});
  EXPECT_EQ(error.kind, ErrorKind::cannot_load);
  EXPECT_NE(error.text.find("lacks libttsim_clock"), std::string::npos) << error.text;
}

TEST(ReferenceTile, LibraryOfTheOtherChipIsRefused) {
  OpenOptions options = fake(Arch::wormhole);
  options.arch = Arch::blackhole;
  const Error error = open_error(options);
  EXPECT_EQ(error.kind, ErrorKind::wrong_architecture);
  EXPECT_EQ(error.text, "the library is a wormhole, not a blackhole");
}

TEST(ReferenceTile, LibraryThatEndsItsProcessLeavesItsLastWords) {
  ReferenceTile tile = opened(fake());
  expect_ok(tile.write_word(0x20000, 1));
  const auto error = tile.write_word(0xFFB12FF0, 1);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::ended);
  EXPECT_NE(error->text.find("exit code 1"), std::string::npos) << error->text;
  EXPECT_NE(error->text.find("FAKE ERROR: unknown register 0xffb12ff0"), std::string::npos) << error->text;
  const auto again = tile.clock(1);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, ErrorKind::ended);
  expect_ok(tile.reopen());
  EXPECT_EQ(word_at(tile, 0x20000), 0U) << "a fresh device";
}

TEST(ReferenceTile, TileThatDoesNotExistIsTheLibrarysToRefuse) {
  OpenOptions options = fake();
  options.tile = Coordinates{7, 3};
  EXPECT_NE(open_error(options).text.find("no tile there"), std::string::npos);
}

TEST(ReferenceTile, LibraryThatDoesNotComeBackIsKilled) {
  OpenOptions options = fake();
  options.time_limit = std::chrono::milliseconds(1000);  // opening must not take as long
  ReferenceTile tile = opened(options);
  AccessLists lists;
  lists[1].store(fake_hangs, 0);
  const auto error = tile.run(lists);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::timed_out);
  EXPECT_NE(error->text.find("1000 ms"), std::string::npos) << error->text;
}

TEST_P(ReferenceTileOf, ListsAreDoneInOrderAndAgain) {
  ReferenceTile tile = opened(fake(GetParam()));
  for (std::uint32_t round = 1; round <= 3; ++round) {
    AccessLists lists;
    lists[0].gpr(3, 0xFFFF0800 + round).load(0xFFE0000C, 0x50000).store(0x50004, round);
    lists[2].store(0x50008, round + 1).wait();
    expect_ok(tile.run(lists));
    EXPECT_EQ(word_at(tile, 0x50000), 0xFFFF0800 + round);
    EXPECT_EQ(word_at(tile, 0x50004), round);
    EXPECT_EQ(word_at(tile, 0x50008), round + 1);
  }
}

TEST_P(ReferenceTileOf, ThreadsWaitForEachOthersWords) {
  ReferenceTile tile = opened(fake(GetParam()));
  AccessLists lists;
  lists[0].wait_for_word(GuestLayout::flag, 0xFFFFFFFF, GetParam()).load(0x50000, 0x50004);
  lists[1].store(0x50000, 9).store(GuestLayout::flag, 0xFFFFFFFF);
  expect_ok(tile.run(lists));
  EXPECT_EQ(word_at(tile, 0x50004), 9U);
}

TEST(ReferenceTile, ListThatNeverEndsUsesUpItsBudget) {
  ReferenceTile tile = opened(fake());
  AccessLists lists;
  lists[0].wait_for_word(GuestLayout::flag, 1, Arch::blackhole);
  const auto error = tile.run(lists, 1000);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::timed_out);
}

TEST(ReferenceTile, CoreThatMakesTheLibraryEndIsAnError) {
  ReferenceTile tile = opened(fake());
  AccessLists lists;
  lists[2].store(fake_dies, 0);
  const auto error = tile.run(lists);
  ASSERT_TRUE(error);
  EXPECT_NE(error->text.find("a core stored to 0x2ffff0"), std::string::npos) << error->text;
}

}  // namespace
}  // namespace tensim::reference
