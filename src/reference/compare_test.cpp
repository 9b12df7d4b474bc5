#include "reference/compare.hpp"

#include <cstring>

#include <gtest/gtest.h>

#include "reference/riscv_words.hpp"
#include "reference/thread_programs.hpp"
#include "tests/places.hpp"

namespace tensim::reference {
namespace {

CompareOptions fake(Arch arch = Arch::blackhole) {
  CompareOptions options;
  options.reference.library =
      std::string(TENSIM_FAKE_REFERENCES) + (arch == Arch::wormhole ? "/wormhole.so" : "/blackhole.so");
  return options;
}

scenario::CoreProgram program(std::span<const std::uint32_t> words, std::uint32_t address, bool held = false) {
  std::vector<std::uint8_t> bytes(words.size_bytes());
  std::memcpy(bytes.data(), words.data(), bytes.size());
  auto image = program::read_raw_image(bytes, address, "test.bin");
  return {std::move(std::get<program::Image>(image)), held};
}

/// Stores 1 ^ 1 and then 7, which is where a reference that takes xori for ori goes wrong.
scenario::Scenario exclusive_or(std::uint32_t address = 0) {
  const std::array words{
      rv::lui(rv::a0, 0x20),     rv::addi(rv::a1, rv::zero, 1), rv::i_type(0x13, 4, rv::a2, rv::a1, 1),
      rv::sw(rv::a2, rv::a0, 0), rv::addi(rv::a3, rv::zero, 7), rv::sw(rv::a3, rv::a0, 4),
      rv::jal(rv::zero, 0)};
  scenario::Scenario scenario;
  scenario.cores[0] = program(words, address);
  scenario.until = {{"done", 0x20004, 7}};
  return scenario;
}

Comparison compared(const scenario::Scenario& scenario, const CompareOptions& options) {
  auto result = compare(scenario, options);
  if (const auto* error = std::get_if<Error>(&result)) {
    ADD_FAILURE() << error->text;
    return {};
  }
  return std::move(std::get<Comparison>(result));
}

TEST(Compare, FirstDifferenceHasItsAddressAndBothValues) {
  const Comparison result = compared(exclusive_or(), fake());
  EXPECT_TRUE(result.reference_ran);
  EXPECT_TRUE(result.reference.met);
  EXPECT_EQ(result.l1.count, 1U);
  EXPECT_EQ(result.l1.first, 0x20000U);
  EXPECT_EQ(result.l1.ours, 0U);
  EXPECT_EQ(result.l1.theirs, 1U);
  ASSERT_TRUE(result.dst);
  EXPECT_EQ(result.dst->count, 0U);
}

TEST(Compare, IgnoredRangesMayDiffer) {
  CompareOptions options = fake();
  options.ignored = {{0x20003, 1}};
  EXPECT_EQ(compared(exclusive_or(), options).l1.count, 0U);
}

TEST(Compare, WithoutWordsToWaitForTheReferenceRunsUntilNothingChanges) {
  scenario::Scenario scenario = exclusive_or();
  scenario.until.clear();
  const Comparison result = compared(scenario, fake());
  EXPECT_TRUE(result.reference.met);
  EXPECT_EQ(result.l1.count, 1U);
}

TEST(Compare, JumpToAProgramElsewhereIsNoDifference) {
  scenario::Scenario scenario = exclusive_or(0x30000);
  EXPECT_EQ(compared(scenario, fake()).l1.count, 1U) << "only the one that the program makes";
  scenario.arch = Arch::wormhole;
  EXPECT_EQ(compared(scenario, fake(Arch::wormhole)).l1.count, 1U);
}

TEST(Compare, JumpThatWouldDestroyAProgramIsAnError) {
  scenario::Scenario scenario = exclusive_or(0x30000);
  scenario.cores[4] = program(std::array{rv::jal(rv::zero, 0)}, 0x4);
  const auto result = compare(scenario, fake());
  ASSERT_TRUE(std::holds_alternative<Error>(result));
  EXPECT_EQ(std::get<Error>(result).text, "the reference starts BRISC at 0x0, where test.bin has something else");
}

TEST(Compare, HeldCoreIsLetGoByAnother) {
  // BRISC lets TRISC0 go, which stores 7.
  const std::array brisc{rv::lui(rv::a0, 0xFFB12),    rv::lui(rv::a1, 0x46),         rv::addi(rv::a1, rv::a1, 0x7FC),
                         rv::addi(rv::a1, rv::a1, 4), rv::sw(rv::a1, rv::a0, 0x1B0), rv::jal(rv::zero, 0)};
  const std::array trisc{rv::lui(rv::a0, 0x20), rv::addi(rv::a3, rv::zero, 7), rv::sw(rv::a3, rv::a0, 4),
                         rv::jal(rv::zero, 0)};
  scenario::Scenario scenario;
  scenario.cores[0] = program(brisc, 0);
  scenario.cores[1] = program(trisc, 0x6000, true);
  scenario.until = {{"done", 0x20004, 7}};
  const Comparison result = compared(scenario, fake());
  EXPECT_TRUE(result.reference.met);
  EXPECT_EQ(result.l1.count, 0U);
}

TEST(Compare, RunThatDoesNotFinishHereIsNotCompared) {
  scenario::Scenario scenario;
  scenario.cores[0] =
      program(std::array{rv::lui(rv::a0, 0x20), rv::lw(rv::a1, rv::a0, 0), rv::beq(rv::a1, rv::zero, -4)}, 0);
  const Comparison result = compared(scenario, fake());
  EXPECT_EQ(result.ours.kind, scenario::OutcomeKind::deadlocked);
  EXPECT_FALSE(result.reference_ran);
}

TEST(Compare, ReferenceThatIsNotDoneWithinTheBudgetIsSaidToBeSo) {
  // addi of a zero register: ends at once here; the reference goes round because of its xori.
  const std::array words{
      rv::lui(rv::a0, 0x20),        rv::addi(rv::a1, rv::zero, 1), rv::i_type(0x13, 4, rv::a2, rv::a1, 1),
      rv::bne(rv::a2, rv::zero, 0), rv::sw(rv::a1, rv::a0, 0),     rv::jal(rv::zero, 0)};
  scenario::Scenario scenario;
  scenario.cores[0] = program(words, 0);
  scenario.until = {{"done", 0x20000, 1}};
  CompareOptions options = fake();
  options.budget = 1000;
  const Comparison result = compared(scenario, options);
  EXPECT_TRUE(result.reference_ran);
  EXPECT_FALSE(result.reference.met);
}

TEST(Compare, ThreadsBecomeProgramsThatPushTheirWords) {
  for (const Arch arch : {Arch::wormhole, Arch::blackhole}) {
    scenario::Scenario scenario;
    scenario.arch = arch;
    scenario.semaphores[1] = {0, 2};
    scenario.gprs[{1, 4}] = 77;
    scenario.threads[1].words = isa::assemble(arch, "SEMPOST sem=MATH_PACK\n", "test").words;
    scenario.threads[2].words =
        isa::assemble(arch, "SEMWAIT block=STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_ZERO\nSEMGET sem=MATH_PACK\n",
                      "test")
            .words;
    const Comparison result = compared(scenario, fake(arch));
    EXPECT_EQ(result.ours.kind, scenario::OutcomeKind::finished);
    EXPECT_TRUE(result.reference.met);
    EXPECT_EQ(result.l1.count, 0U);
    EXPECT_EQ(result.ours.threads[2].issued, 2U);
  }
}

TEST(Compare, StateThatProgramsWouldNotSetIsRefusedAndNotLeftOut) {
  scenario::Scenario with_memory;
  with_memory.memory.push_back({0x20000, {1, 2, 3, 4}});
  EXPECT_TRUE(std::holds_alternative<std::string>(as_programs(with_memory)));
  scenario::Scenario with_config;
  with_config.config.emplace_back(&config_fields().front().front(), 1);
  EXPECT_TRUE(std::holds_alternative<std::string>(as_programs(with_config)));
}

TEST(Compare, ScenarioThatNeedsCyclesIsRefused) {
  scenario::Scenario scenario;
  scenario.actions.push_back({});
  EXPECT_TRUE(std::holds_alternative<std::string>(as_programs(scenario)));
}

TEST(Differences, AreCountedInWordsOutsideIgnoredRanges) {
  std::vector<std::uint8_t> ours(16);
  std::vector<std::uint8_t> theirs(16);
  theirs[5] = 1;
  theirs[6] = 1;
  theirs[15] = 2;
  Differences all = differences(ours, theirs, {});
  EXPECT_EQ(all.count, 2U);
  EXPECT_EQ(all.first, 4U);
  EXPECT_EQ(all.theirs, 0x00010100U);
  all = differences(ours, theirs, std::array{Range{0, 5}});
  EXPECT_EQ(all.count, 1U);
  EXPECT_EQ(all.first, 12U);
}

}  // namespace
}  // namespace tensim::reference
