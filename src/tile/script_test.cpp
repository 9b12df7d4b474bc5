// Scripted cores and fed threads in a tile: their place in the order, and that everything a tile does goes on beside them.
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using tile::CoreId;
using tile::Wait;

class Script : public BothArchs {};
TENSIM_BOTH_ARCHS(Script);

constexpr std::uint32_t tdma = 0xFFB11000;
constexpr std::uint32_t tdma_command = tdma + 0x10;
constexpr std::uint32_t soft_reset = 0xFFB121B0;
constexpr std::uint32_t own_pc_buffer = 0xFFE80000;

constexpr std::uint32_t mailbox(CoreId other) {
  return 0xFFEC0000U + 0x1000U * static_cast<std::uint32_t>(other);
}
constexpr std::uint32_t semaphore(unsigned index) {
  return 0xFFE80020U + 4 * index;
}

Scenario scripted(Arch arch, std::vector<CoreAction> actions) {
  Scenario scenario = three_threads(arch, {"", "", ""});
  scenario.actions = std::move(actions);
  return scenario;
}

/// The cycle in which a load was answered, of a scenario in which it is the only one, and expects a wrong value.
std::string answer(const Ran& ran) {
  return ran.outcome.failed_expectations.empty() ? "never" : ran.outcome.failed_expectations.front();
}

TEST_P(Script, AFullQueueOfTdmaRiscKeepsACoreWaitingUntilACommandIsTaken) {  // C33
  // The move of eight units that is stored in 4 is taken in 5 and keeps the mover busy from 6 to 16. The command behind it
  // waits for that and is taken in 17; with three more the queue is full until then. So the fifth goes in 18 and the store
  // behind it in 19: it lands in 20, and loads see it from 21 on.
  constexpr std::uint32_t nop_command = 0x80000089;
  const auto scenario = [&](Cycle load) {
    return scripted(GetParam(), {store(0, T0, tdma, 0), store(1, T0, tdma + 4, 64), store(2, T0, tdma + 8, 8),
                                 store(3, T0, tdma + 12, 3), store(4, T0, tdma_command, 0x40),
                                 store(5, T0, tdma_command, 0x80000046), store(6, T0, tdma_command, nop_command),
                                 store(7, T0, tdma_command, nop_command), store(8, T0, tdma_command, nop_command),
                                 store(9, T0, tdma_command, nop_command), store(10, T0, semaphore(1), 0),
                                 test::load(load, T1, semaphore(1), 9)});
  };
  EXPECT_EQ(answer(simulate(scenario(20))), "load of 0xffe80024 in cycle 20: expected 0x9, was 0x0");
  const Ran ran = simulate(scenario(21));
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(answer(ran), "load of 0xffe80024 in cycle 21: expected 0x9, was 0x1");
}

TEST_P(Script, ALoadOfAMailboxThatNobodyFillsIsADeadlockAndIsExplained) {  // C32
  const Ran ran = simulate(scripted(GetParam(), {test::load(7, T1, mailbox(CoreId::brisc), 0)}));
  EXPECT_TRUE(ran.deadlocked());
  EXPECT_EQ(ran.outcome.ended_at, 8U);
  ASSERT_EQ(ran.outcome.stuck_cores.size(), 1U);
  const explain::StuckCore& stuck = ran.outcome.stuck_cores.front();
  EXPECT_EQ(stuck.core, CoreId::trisc1);
  EXPECT_EQ(stuck.scripted->wait, Wait::mailbox_empty);
  EXPECT_EQ(stuck.scripted->cycle, 7U);
}

TEST_P(Script, AWaitingLoadIsAnsweredInTheCycleAfterTheStore) {
  const Ran mail = simulate(
      scripted(GetParam(), {test::load(3, T1, mailbox(CoreId::brisc), 0), store(20, B, mailbox(CoreId::trisc1), 42)}));
  EXPECT_TRUE(mail.finished());
  EXPECT_EQ(answer(mail), "load of 0xffec0000 in cycle 21: expected 0x0, was 0x2a");
  const Ran buffer =
      simulate(scripted(GetParam(), {test::load(3, T0, own_pc_buffer, 0), store(20, B, own_pc_buffer, 43)}));
  EXPECT_TRUE(buffer.finished());
  EXPECT_EQ(answer(buffer), "load of 0xffe80000 in cycle 21: expected 0x0, was 0x2b");
}

TEST_P(Script, AWaitingStoreGoesInTheCycleOfTheLoadThatMakesRoom) {  // C32: four words of a core are under way
  Scenario scenario = scripted(GetParam(), {});
  for (unsigned i = 0; i < 5; ++i)
    scenario.actions.push_back(store(i, B, mailbox(CoreId::trisc1), i));
  scenario.actions.push_back(test::load(30, T1, mailbox(CoreId::brisc), 0));
  scenario.actions.push_back(store(30, B, mailbox(CoreId::trisc2), 44));
  scenario.actions.push_back(test::load(31, T1, mailbox(CoreId::brisc), 1));
  scenario.actions.push_back(test::load(31, T2, mailbox(CoreId::brisc), 0));
  const Ran ran = simulate(scenario);
  EXPECT_TRUE(ran.finished());
  // The fifth word goes in 30; the sixth in 31, with the load of 31; T2 finds it in 32.
  EXPECT_EQ(ran.outcome.failed_expectations,
            (std::vector<std::string>{"load of 0xffec0000 in cycle 32: expected 0x0, was 0x2c"}));
}

TEST_P(Script, CoresOfACycleGoInTheOrderOfTheirNumbers) {
  // The window on semaphores takes one store at a time, so TRISC0's is first, whatever order they are written in.
  Scenario scenario = scripted(
      GetParam(), {store(5, T2, semaphore(2), 0), store(5, T0, semaphore(0), 0), store(5, T1, semaphore(1), 0)});
  scenario.budget = 7;  // that of 5 has landed, and no other
  const Ran ran = simulate(scenario);
  EXPECT_EQ(ran.value(0), 1U);
  EXPECT_EQ(ran.value(1) + ran.value(2), 0U);
}

TEST_P(Script, ASoftResetThrowsAwayWhatACoreHasInItsMailboxes) {
  // TRISC1 is let go and reset again: what it has sent is gone, and the store that waits for room gets it.
  constexpr std::uint32_t trisc1 = 1U << 13U;
  constexpr std::uint32_t all = 0x47800;
  Scenario scenario = scripted(GetParam(), {});
  for (unsigned i = 0; i < 5; ++i)
    scenario.actions.push_back(store(i, T1, mailbox(CoreId::brisc), 100 + i));
  scenario.actions.push_back(store(30, NC, soft_reset, all & ~trisc1));
  scenario.actions.push_back(store(40, NC, soft_reset, all));
  scenario.actions.push_back(test::load(50, B, mailbox(CoreId::trisc1), 0));
  const Ran ran = simulate(scenario);
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(answer(ran), "load of 0xffec2000 in cycle 50: expected 0x0, was 0x68");
}

TEST_P(Script, ACoreThatIsLetGoWithoutMemoryHasNothingToRun) {
  const Ran ran = simulate(scripted(GetParam(), {store(3, B, soft_reset, 0), store(20, T0, semaphore(1), 0)}));
  EXPECT_TRUE(ran.finished());
  EXPECT_EQ(ran.value(1), 1U);
  for (const explain::CoreResult& core : ran.outcome.cores)
    EXPECT_FALSE(core.ran);
}

TEST_P(Script, AFaultEndsTheRunInItsCycle) {
  const Ran loads = simulate(scripted(GetParam(), {test::load(5, B, 0xFFFF0000, 0), store(5, T0, semaphore(1), 0)}));
  EXPECT_EQ(loads.outcome.kind, OutcomeKind::faulted);
  EXPECT_EQ(loads.outcome.ended_at, 5U);
  const Ran stores = simulate(scripted(GetParam(), {store(5, B, 0xFFFF0000, 0), store(6, T0, semaphore(1), 0)}));
  EXPECT_EQ(stores.outcome.kind, OutcomeKind::faulted);
  EXPECT_EQ(stores.outcome.ended_at, 6U);
  ASSERT_TRUE(stores.outcome.core_fault.has_value());
  EXPECT_EQ(stores.outcome.core_fault->access.cycle, 5U);
}

}  // namespace
}  // namespace tensim::test
