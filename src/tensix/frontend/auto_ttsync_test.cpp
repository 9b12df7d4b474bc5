// Auto TTSync (C38): the scenarios of BabyRISCV/AutoTTSync.md, each as a claim. A word pushed before cycle n is at its
// gate in n+2.
#include "insight/wait_for.hpp"
#include "report/conditions.hpp"
#include "tests/support/auto_ttsync_thread.hpp"

namespace tensim::test {
namespace {

using namespace auto_ttsync;
using tensix::TrackedRegion;

/// Whether the word waits at the gate behind a pending access.
bool waits_behind(std::string_view line, ResourceSet accessed, bool is_store) {
  Thread thread;
  const auto ticket = is_store ? thread.store_starts(accessed) : thread.load_starts(accessed);
  thread.bring_to_gate(line);
  const Stall before = thread.step();
  EXPECT_TRUE(before == Stall::auto_ttsync || before == Stall::issued) << name(before);
  thread.done(ticket);
  thread.drain();  // and not for ever
  return before == Stall::auto_ttsync;
}

// ---- off ----

TEST(AutoTtsync, IsOffAfterReset) {  // C38
  Thread thread(0);
  for (const TrackedRegion region : {TrackedRegion::gprs, TrackedRegion::tdma_risc, TrackedRegion::config})
    EXPECT_EQ(thread.coprocessor.tracked_resources(Thread::self, region, 0), none);
  thread.push(writes_gpr);
  EXPECT_TRUE(thread.may_store(every_resource));
  EXPECT_TRUE(thread.may_load(every_resource));
  EXPECT_EQ(thread.issues(), (Cycles{2}));
  EXPECT_FALSE(thread.coprocessor.frontends[Thread::self].auto_ttsync.is_on());
}

TEST(AutoTtsync, NeedsInstructionsAndAKindOfAccess) {  // C38
  for (const unsigned enables : {track_instructions, track_config | track_gprs | track_tdma, subdivide})
    EXPECT_FALSE(Thread(enables).coprocessor.frontends[Thread::self].auto_ttsync.is_on()) << enables;
  for (const unsigned kind : {track_config, track_gprs, track_tdma}) {
    Thread thread(kind | track_instructions);
    EXPECT_TRUE(thread.coprocessor.frontends[Thread::self].auto_ttsync.is_on());
    EXPECT_FALSE(thread.coprocessor.frontends[0].auto_ttsync.is_on()) << "each thread has its own";
    const auto counts = [&](TrackedRegion region) {
      return thread.coprocessor.tracked_resources(Thread::self, region, 0) != none;
    };
    EXPECT_EQ(counts(TrackedRegion::config), kind == track_config);
    EXPECT_EQ(counts(TrackedRegion::gprs), kind == track_gprs);
    EXPECT_EQ(counts(TrackedRegion::tdma_risc), kind == track_tdma);
  }
}

TEST(AutoTtsync, DoesNotExistOnWormhole) {  // C38
  Thread thread(0, Arch::wormhole);
  thread.enable(track_all);
  thread.push("SETC16 CfgIndex=40, NewValue=1");
  EXPECT_FALSE(thread.coprocessor.frontends[Thread::self].auto_ttsync.is_on());
  EXPECT_EQ(thread.coprocessor.tracked_resources(Thread::self, TrackedRegion::gprs, 0), none);
  EXPECT_TRUE(thread.may_store(every_resource));
  // There opcode 5 is no instruction, and stops the thread as before.
  thread.push_word(0x05000000);
  thread.step(10);
  EXPECT_TRUE(thread.coprocessor.fault);
}

TEST(AutoTtsync, SwitchedOffItForgetsWhatIsUnderWay) {  // C38
  Thread thread;
  thread.push("SETC16 CfgIndex=56, NewValue=0");
  thread.push(writes_gpr);
  EXPECT_FALSE(thread.may_store(gprs));
  thread.step(3);  // SETC16 has passed, SETDMAREG has not
  EXPECT_TRUE(thread.may_store(gprs));
  EXPECT_EQ(thread.coprocessor.tracked_resources(Thread::self, TrackedRegion::gprs, 0), none);
  thread.drain();
}

TEST(AutoTtsync, WordsPushedBeforeItIsOnAreNotTracked) {  // C38
  Thread thread(0);
  thread.push("SETC16 CfgIndex=56, NewValue=31");
  thread.push(writes_gpr);
  thread.push("REPLAY Index=0, Count=2, Load=1, Exec=1");
  for (unsigned i = 0; i < 12; ++i)
    thread.push(writes_gpr);
  thread.step(3);
  EXPECT_TRUE(thread.may_store(gprs));
  thread.push("WRCFG InputReg=0, CfgIndex=1");  // the first that is
  EXPECT_FALSE(thread.may_store(gprs));
  thread.drain();
  EXPECT_TRUE(thread.may_store(every_resource));
}

// ---- an access, then a push ----

TEST(AutoTtsync, LoadThenPushAnInstructionThatWritesWaits) {  // C38
  EXPECT_TRUE(waits_behind(writes_gpr, gprs, false));
  EXPECT_TRUE(waits_behind("RDCFG ResultReg=0, CfgIndex=1", gprs, false));
  EXPECT_TRUE(waits_behind("WRCFG InputReg=0, CfgIndex=1", config(0, unpacker0), false));
  // It only reads what the core loads, or uses something else.
  EXPECT_FALSE(waits_behind("WRCFG InputReg=0, CfgIndex=1", gprs, false));
  EXPECT_FALSE(waits_behind("RDCFG ResultReg=0, CfgIndex=1", bank0, false));
  EXPECT_FALSE(waits_behind(writes_gpr, bank0 | tdma_risc, false));
  EXPECT_FALSE(waits_behind("NOP", every_resource, false));
}

TEST(AutoTtsync, StoreThenPushAnInstructionThatReadsOrWritesWaits) {  // C38
  EXPECT_TRUE(waits_behind("WRCFG InputReg=0, CfgIndex=1", gprs, true));
  EXPECT_TRUE(waits_behind("WRCFG InputReg=0, CfgIndex=1", config(0, unpacker1), true));
  EXPECT_TRUE(waits_behind("SFPNOP", config(0, remainder), true)) << "anything is said to read configuration,";
  EXPECT_FALSE(waits_behind("SFPNOP", config(0, unpacker0 | unpacker1), true)) << "the remainder,";
  EXPECT_FALSE(waits_behind("SFPNOP", config(1, all_parts), true)) << "of its bank";
  EXPECT_FALSE(waits_behind("NOP", every_resource, true));
}

TEST(AutoTtsync, OnlyEarlierAccessesOfTheOwnCoreCount) {  // C38
  Thread thread;
  thread.push(writes_gpr);
  thread.load_starts(gprs);  // after the push
  thread.coprocessor.core_access_started(0, gprs, true);
  EXPECT_EQ(thread.issues().size(), 1U);
}

TEST(AutoTtsync, EveryEarlierAccessIsWaitedFor) {  // C38
  Thread thread;
  const auto first = thread.store_starts(gprs);
  const auto second = thread.load_starts(gprs);
  thread.bring_to_gate(writes_gpr);
  EXPECT_EQ(thread.step(), Stall::auto_ttsync);
  thread.done(second);
  const auto third = thread.store_starts(gprs);  // takes the place of the second, and is later than the instruction
  thread.step(5);
  EXPECT_EQ(thread.step(), Stall::auto_ttsync);
  thread.done(first);
  EXPECT_EQ(thread.issues().size(), 1U);
  thread.done(third);
}

TEST(AutoTtsync, AHeldInstructionHoldsWhatIsBehindIt) {  // C38
  Thread thread;
  const auto ticket = thread.store_starts(gprs);
  thread.push(writes_gpr);
  thread.push("NOP");
  thread.step(20);
  EXPECT_EQ(thread.coprocessor.accounts[Thread::self][Stall::auto_ttsync], 18U);
  thread.done(ticket);
  EXPECT_EQ(thread.issues().size(), 2U);
}

// ---- linger ----

/// How many cycles an instruction stays held after the one in which the access was processed.
Cycle lingers(unsigned pattern) {
  Thread thread;
  thread.push("RESOURCEDECL LingerTime=" + std::to_string(pattern) + ", Resources=READ_GPR|WRITE_GPR, OpClass=DMAREG");
  const auto ticket = thread.store_starts(gprs);
  thread.bring_to_gate(writes_gpr);
  thread.step(4);
  thread.done(ticket);
  const Cycle processed = thread.coprocessor.now - 1;
  const Cycles issues = thread.issues();
  return issues.size() == 1 ? issues[0] - processed - 1 : tensix::never;
}

TEST(AutoTtsync, LingerTimeIsAPatternThatIsShiftedOut) {  // C38
  const std::array<Cycle, 16> expected{0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4};
  for (unsigned pattern = 0; pattern < expected.size(); ++pattern)
    EXPECT_EQ(lingers(pattern), expected[pattern]) << pattern;
}

TEST(AutoTtsync, WithoutBeingHeldNothingLingers) {  // C38
  Thread thread;
  const auto ticket = thread.store_starts(gprs);
  thread.bring_to_gate(writes_gpr);
  thread.done(ticket);
  EXPECT_EQ(thread.step(), Stall::issued);
}

TEST(AutoTtsync, AHoldThatLingersEndsByItself) {  // C38
  Thread thread;
  const auto ticket = thread.store_starts(gprs);
  thread.bring_to_gate(writes_gpr);
  thread.step(3);
  EXPECT_EQ(thread.coprocessor.next_event(), tensix::never);
  thread.done(ticket);
  EXPECT_TRUE(thread.coprocessor.changed());
  EXPECT_EQ(thread.step(), Stall::auto_ttsync);
  EXPECT_EQ(thread.coprocessor.next_event(), thread.coprocessor.now);
  EXPECT_EQ(thread.step(), Stall::issued);
}

// ---- a push, then an access ----

TEST(AutoTtsync, PushThenStoreWaitsForInstructionsThatReadOrWrite) {  // C38
  Thread thread;
  thread.push("WRCFG InputReg=0, CfgIndex=1");
  EXPECT_FALSE(thread.may_store(gprs));
  EXPECT_FALSE(thread.may_store(config(0, unpacker1)));
  EXPECT_TRUE(thread.may_store(config(1, all_parts)));
  EXPECT_TRUE(thread.may_store(tdma_risc));
  thread.step(2);
  EXPECT_FALSE(thread.may_store(gprs));
  EXPECT_EQ(thread.step(), Stall::issued);
  EXPECT_TRUE(thread.may_store(gprs)) << "what it reads it has read at the gate;";
  EXPECT_FALSE(thread.may_store(config(0, unpacker1))) << "what it writes is under way,";
  EXPECT_TRUE(thread.may_store(config(1, all_parts)));
  thread.step();
  EXPECT_TRUE(thread.may_store(every_resource)) << "and has landed";
}

TEST(AutoTtsync, PushThenLoadWaitsForInstructionsThatWrite) {  // C38
  Thread thread;
  thread.push("WRCFG InputReg=0, CfgIndex=1");
  EXPECT_TRUE(thread.may_load(gprs));
  EXPECT_FALSE(thread.may_load(config(0, remainder)));
  thread.push("RDCFG ResultReg=0, CfgIndex=1");
  EXPECT_FALSE(thread.may_load(gprs));
  thread.step(3);
  EXPECT_FALSE(thread.may_load(bank0)) << "WRCFG has passed, and lands a cycle later;";
  thread.step();
  EXPECT_TRUE(thread.may_load(bank0));
  EXPECT_FALSE(thread.may_load(gprs)) << "RDCFG has not passed";
  thread.drain();
  EXPECT_TRUE(thread.may_load(every_resource));
}

/// How many cycles a load of the GPRs has to wait after the instruction has passed the gate.
unsigned cycles_until_landed(std::string_view line) {
  Thread thread;
  thread.bring_to_gate(line);
  EXPECT_EQ(thread.step(), Stall::issued) << line;
  unsigned cycles = 0;
  while (!thread.may_load(gprs) && cycles < 1000) {
    EXPECT_FALSE(thread.may_store(gprs)) << line;
    thread.step();
    ++cycles;
  }
  EXPECT_TRUE(thread.may_store(every_resource));
  thread.drain();
  return cycles;
}

TEST(AutoTtsync, AResultHasToLandBeforeTheCoreMayAccessIt) {  // C38, ruling 26
  EXPECT_EQ(cycles_until_landed(writes_gpr), 0U) << "SETDMAREG is done in its cycle";
  EXPECT_EQ(cycles_until_landed("RDCFG ResultReg=0, CfgIndex=1"), 1U);
  EXPECT_EQ(cycles_until_landed("ttadddmareg 1, 1, 3, 1"), 2U);
  EXPECT_GT(cycles_until_landed("LOADIND Size=LD_32bit, OffsetHalfReg=0, ResultReg=1, AddrReg=2"), 2U);
  EXPECT_EQ(cycles_until_landed("ATCAS SetVal=4, CmpVal=5, AddrReg=5"), 0U) << "it writes no GPR";
}

TEST(AutoTtsync, ResultsOfInstructionsThatAreNotTrackedAreNotWaitedFor) {  // C38
  Thread thread;
  thread.push("RESOURCEDECL LingerTime=1, Resources=0, OpClass=DMAREG");
  thread.bring_to_gate("ttadddmareg 1, 1, 3, 1");
  EXPECT_EQ(thread.step(), Stall::issued);
  EXPECT_TRUE(thread.may_store(every_resource));
  thread.coprocessor.push_from_brisc(Thread::self, assemble(Arch::blackhole, "ttadddmareg 1, 1, 3, 1"), 0);
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_TRUE(thread.may_store(every_resource));
    thread.step();
  }
}

TEST(AutoTtsync, AResultThatIsOnItsWayStaysSoWhenItIsSwitchedOffAndOn) {  // C38
  Thread thread;
  thread.push("LOADIND Size=LD_32bit, OffsetHalfReg=0, ResultReg=1, AddrReg=2");
  thread.push("SETC16 CfgIndex=56, NewValue=0");
  thread.push("SETC16 CfgIndex=56, NewValue=29");
  while (thread.coprocessor.frontends[Thread::self].words_held() != 0)
    thread.step();
  EXPECT_FALSE(thread.may_load(gprs));
  thread.drain();
  EXPECT_TRUE(thread.may_load(every_resource));
}

TEST(AutoTtsync, ALoadDoesNotSeeWhatIsStillInTheStoreQueue) {  // C38: the page's hardware bug
  Thread thread;
  EXPECT_TRUE(thread.may_load(gprs));
  thread.push(writes_gpr);  // drained only now
  EXPECT_FALSE(thread.may_load(gprs));
}

TEST(AutoTtsync, AllOfSeveralInstructionsHaveToPass) {  // C38
  Thread thread;
  for (unsigned i = 0; i < 5; ++i)
    thread.push(writes_gpr);
  unsigned issued = 0;
  for (unsigned i = 0; i < 100 && !thread.may_store(gprs); ++i)
    issued += thread.step() == Stall::issued ? 1U : 0U;
  EXPECT_EQ(issued, 5U);
}

TEST(AutoTtsync, WhatBriscPushesIsNotTracked) {  // C38
  Thread thread;
  thread.coprocessor.push_from_brisc(Thread::self, assemble(Arch::blackhole, writes_gpr), 0);
  EXPECT_TRUE(thread.may_store(every_resource));
  const auto ticket = thread.store_starts(gprs);
  EXPECT_EQ(thread.issues().size(), 1U);
  thread.done(ticket);
}

TEST(AutoTtsync, AnInstructionLostAtTheMuxIsNotWaitedFor) {  // C38, C25
  Thread thread;
  thread.push(writes_gpr);
  thread.coprocessor.push_from_brisc(Thread::self, assemble(Arch::blackhole, "NOP"), 0);
  EXPECT_FALSE(thread.may_store(gprs));
  thread.step();
  EXPECT_TRUE(thread.may_store(gprs));
  EXPECT_EQ(thread.coprocessor.reports.front().category, Report::Category::mux_drop);
}

// ---- RESOURCEDECL and StateID ----

TEST(AutoTtsync, ResourcedeclNeverReachesTheGate) {  // C38, W14
  for (const unsigned enables : {0U, track_all}) {
    Thread thread(enables);
    thread.push("RESOURCEDECL LingerTime=1, Resources=0, OpClass=DMAREG");
    EXPECT_TRUE(thread.coprocessor.is_idle());
    thread.push("NOP");
    EXPECT_EQ(thread.issues().size(), 1U);
    EXPECT_FALSE(thread.coprocessor.fault);
  }
}

TEST(AutoTtsync, ADeclarationIsTheThreadsOwnAndLasts) {  // C38
  Thread thread(0);
  thread.push("RESOURCEDECL LingerTime=1, Resources=WRITE_TDMA, OpClass=DMAREG");  // while it is off
  thread.enable(track_all);
  for (unsigned i = 0; i < 3; ++i) {
    thread.push(writes_gpr);
    EXPECT_TRUE(thread.may_store(gprs));
    EXPECT_FALSE(thread.may_store(tdma_risc));
    thread.drain();
  }
  EXPECT_EQ(thread.coprocessor.frontends[0].auto_ttsync.declarations(), tensix::default_declarations(1));
}

TEST(AutoTtsync, ADeclarationHoldsForWordsPushedAfterIt) {  // C38
  Thread thread;
  thread.push(writes_gpr);
  thread.push("RESOURCEDECL LingerTime=1, Resources=0, OpClass=DMAREG");
  thread.push("NOP");
  EXPECT_FALSE(thread.may_store(gprs));
  thread.step(3);
  thread.push(writes_gpr);
  EXPECT_TRUE(thread.may_store(gprs));
}

TEST(AutoTtsync, ASetc16OfTheBankCountsFromTheNextWordOn) {  // C38
  Thread thread;
  thread.push("SETC16 CfgIndex=0, NewValue=1");
  EXPECT_FALSE(thread.may_store(config(0, remainder)));
  EXPECT_TRUE(thread.may_store(config(1, all_parts)));
  thread.push("RDCFG ResultReg=0, CfgIndex=1");
  EXPECT_FALSE(thread.may_store(config(1, unpacker0)));
  EXPECT_TRUE(thread.may_store(config(0, unpacker0)));
  thread.drain();
  // Pushed while it was off, and not executed yet when it is switched on.
  Thread late(0);
  late.push("SETC16 CfgIndex=56, NewValue=31");
  late.push("SETC16 CfgIndex=0, NewValue=1");
  late.step(3);
  late.push("RDCFG ResultReg=0, CfgIndex=1");
  EXPECT_FALSE(late.may_store(config(1, remainder)));
  EXPECT_TRUE(late.may_store(config(0, all_parts)));
}

TEST(AutoTtsync, SubdividedUnpackersWaitForTheirOwnConfiguration) {  // C38
  Thread thread(track_all | subdivide);
  const auto resources = [&](unsigned word) {
    return thread.coprocessor.tracked_resources(Thread::self, TrackedRegion::config, word * 4);
  };
  const auto ticket = thread.store_starts(resources(124));  // THCON_SEC1_REG3_Base_address
  thread.push("UNPACR.Regular WhichUnpacker=0");
  EXPECT_EQ(thread.issues().size(), 1U);
  thread.push("UNPACR.Regular WhichUnpacker=1");
  EXPECT_FALSE(thread.may_store(resources(124)));
  EXPECT_TRUE(thread.may_store(resources(76)));
  thread.step(5);
  EXPECT_EQ(thread.step(), Stall::auto_ttsync);
  thread.done(ticket);
  EXPECT_EQ(thread.issues().size(), 1U);
}

// ---- SOFT_RESET_0, limits, explanations ----

TEST(AutoTtsync, ResetForgetsRecordsAndDeclarationsAndStaysOn) {  // C38
  Thread thread;
  thread.push("RESOURCEDECL LingerTime=1, Resources=0, OpClass=WRCFG");
  const auto ticket = thread.store_starts(gprs);
  thread.bring_to_gate(writes_gpr);
  thread.push(writes_gpr);
  EXPECT_EQ(thread.step(), Stall::auto_ttsync);
  thread.coprocessor.reset_auto_ttsync();
  EXPECT_TRUE(thread.may_store(gprs));
  EXPECT_EQ(thread.issues().size(), 2U);
  thread.done(ticket);
  thread.push("WRCFG InputReg=0, CfgIndex=1");
  EXPECT_FALSE(thread.may_store(gprs));
  thread.drain();
}

TEST(AutoTtsync, MoreAccessesThanItCanKeepTrackOfWait) {
  Thread thread;
  std::vector<AutoTtSync::Ticket> tickets;
  while (thread.may_load(gprs))
    tickets.push_back(thread.load_starts(gprs));
  EXPECT_EQ(tickets.size(), AutoTtSync::max_pending);
  EXPECT_TRUE(thread.may_load(none));
  EXPECT_EQ(thread.load_starts(none), AutoTtSync::no_ticket);
  for (const AutoTtSync::Ticket ticket : tickets)
    thread.done(ticket);
  EXPECT_TRUE(thread.may_load(gprs));
}

TEST(AutoTtsync, AStoreToConfigurationIsDoneWhenTheUnitHasTakenIt) {  // C38
  Thread thread;
  tensix::Coprocessor& coprocessor = thread.coprocessor;
  const ResourceSet wanted = coprocessor.tracked_resources(Thread::self, TrackedRegion::config, 4);
  ASSERT_TRUE(thread.may_store(wanted));
  coprocessor.store_config(Thread::self + 1, *tensix::riscv_config_store(Arch::blackhole, 4, 77),
                           thread.store_starts(wanted));
  thread.push("RDCFG ResultReg=5, CfgIndex=1");
  thread.drain();
  EXPECT_EQ(coprocessor.gprs.value[Thread::self][5], 77U);
  EXPECT_TRUE(coprocessor.is_idle());
}

TEST(AutoTtsync, AHeldThreadSaysWhatItWaitsFor) {  // C38
  Thread thread;
  thread.store_starts(gprs);
  thread.bring_to_gate(writes_gpr);
  thread.step();
  const insight::WaitForGraph graph = insight::wait_for_graph(thread.coprocessor, {});
  ASSERT_EQ(graph.agents.size(), 1U);
  const insight::StuckAgent& agent = graph.agents.front();
  EXPECT_EQ(agent.stall, Stall::auto_ttsync);
  EXPECT_EQ(name(agent.stall), "auto_ttsync");
  ASSERT_EQ(agent.unmet.size(), 1U);
  const report::ConditionText text = report::text_of(thread.coprocessor.arch, agent.unmet.front().condition);
  EXPECT_EQ(text.what, "earlier accesses of TRISC1 must have been processed");
  EXPECT_EQ(text.state, "loads under way: 0, stores: 1; of GPRs");
  EXPECT_FALSE(agent.for_ever);
}

}  // namespace
}  // namespace tensim::test
