#include "debug/debugger.hpp"

#include <gtest/gtest.h>

#include "debug/memory.hpp"
#include "tests/support/guest_tile.hpp"
#include "tests/support/same_tile.hpp"

namespace tensim::debug {
namespace {

using namespace rv;
using test::first_difference;
using test::GuestTile;
using tile::CoreId;
using tile::Tile;
using Kind = Stop::Kind;

constexpr tile::Cycle budget = 100'000;
constexpr std::uint32_t code = 0x1000;
constexpr std::uint32_t data = 0x4000;  // lui of 4

Stop run(Debugger& debugger, std::optional<CoreId> step = std::nullopt) {
  debugger.resume(step);
  while (true)
    if (const auto stop = debugger.advance()) return *stop;
}

class DebuggerTest : public ::testing::TestWithParam<Arch> {
 protected:
  GuestTile guest{GetParam()};
  Debugger started() const { return Debugger(guest.tile, budget); }
};
INSTANTIATE_TEST_SUITE_P(EachChip, DebuggerTest, ::testing::Values(Arch::wormhole, Arch::blackhole));

const std::vector<Word> count_down{addi(t0, zero, 5), addi(t0, t0, -1), bne(t0, zero, -4), addi(a0, zero, 7), here};

TEST_P(DebuggerTest, ABreakpointStopsBeforeItsInstruction) {
  guest.start(CoreId::brisc, code, count_down);
  Debugger debugger = started();
  ASSERT_TRUE(debugger.add_breakpoint(code + 12));
  const Stop stop = run(debugger);
  EXPECT_EQ(stop.kind, Kind::breakpoint);
  EXPECT_EQ(stop.core, CoreId::brisc);
  EXPECT_EQ(debugger.tile().core(CoreId::brisc).pc, code + 12);
  EXPECT_EQ(debugger.tile().core(CoreId::brisc).x[a0], 0U);
  EXPECT_EQ(debugger.tile().core(CoreId::brisc).x[t0], 0U);
}

TEST_P(DebuggerTest, EveryArrivalIsOneStop) {
  guest.start(CoreId::brisc, code, count_down);
  Debugger debugger = started();
  debugger.add_breakpoint(code + 4);
  for (unsigned left = 5; left > 0; --left) {
    ASSERT_EQ(run(debugger).kind, Kind::breakpoint);
    EXPECT_EQ(debugger.tile().core(CoreId::brisc).x[t0], left);
  }
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
}

TEST_P(DebuggerTest, AStepEntersOneInstruction) {
  guest.start(CoreId::brisc, code, count_down);
  Debugger debugger = started();
  for (const std::uint32_t pc : {code + 4, code + 8, code + 4, code + 8}) {
    const std::uint64_t retired = debugger.tile().core(CoreId::brisc).retired;
    const Stop stop = run(debugger, CoreId::brisc);
    EXPECT_EQ(stop.kind, Kind::stepped);
    EXPECT_EQ(debugger.tile().core(CoreId::brisc).retired, retired + 1);
    EXPECT_EQ(debugger.tile().core(CoreId::brisc).pc, pc);
  }
}

TEST_P(DebuggerTest, AStepFromABreakpointDoesNotStopAtItAgain) {
  guest.start(CoreId::brisc, code, count_down);
  Debugger debugger = started();
  debugger.add_breakpoint(code + 12);
  run(debugger);
  EXPECT_EQ(run(debugger, CoreId::brisc).kind, Kind::stepped);
  EXPECT_EQ(debugger.tile().core(CoreId::brisc).pc, code + 16);
}

TEST_P(DebuggerTest, TwoCoresThatArriveInOneCycleAreTwoStops) {
  guest.start(CoreId::brisc, code, count_down);
  guest.start(CoreId::ncrisc, code, count_down);
  Debugger debugger = started();
  debugger.add_breakpoint(code + 12);
  const Stop first = run(debugger);
  const tile::Cycle cycle = debugger.tile().now();
  const Stop second = run(debugger);
  EXPECT_EQ(first.kind, Kind::breakpoint);
  EXPECT_EQ(second.kind, Kind::breakpoint);
  EXPECT_NE(first.core, second.core);
  EXPECT_EQ(debugger.tile().now(), cycle);  // nothing has happened in between
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
}

TEST_P(DebuggerTest, TheEndIsThatOfARunWithoutDebugger) {
  guest.start(CoreId::brisc, code, count_down);
  Tile plain = guest.tile;
  Debugger walked = started();
  walked.add_breakpoint(code + 4);
  while (run(walked).kind != Kind::nothing_left) {
  }
  Debugger leapt = started();
  EXPECT_EQ(run(leapt).kind, Kind::nothing_left);
  EXPECT_EQ(plain.run_until(budget), Tile::Halt::nothing_left);
  EXPECT_EQ(first_difference(plain, walked.ended_tile()), "");
  EXPECT_EQ(first_difference(plain, leapt.ended_tile()), "");
  plain.idle_until(plain.now());  // out of its sleep
  EXPECT_EQ(first_difference(plain, walked.tile()), "");
  EXPECT_EQ(first_difference(plain, leapt.tile()), "");
}

const std::vector<Word> store_five{lui(t1, 4), addi(t2, zero, 5), sw(t2, t1, 4), lw(t3, t1, 8), here};

TEST_P(DebuggerTest, AWriteWatchpointStopsAfterTheStoreAndItsCoreSeesTheValue) {
  guest.start(CoreId::brisc, code, store_five);
  Debugger debugger = started();
  debugger.add_watchpoint({.kind = Watchpoint::Kind::write, .address = data + 4, .bytes = 4});
  const Stop stop = run(debugger);
  EXPECT_EQ(stop.kind, Kind::watchpoint);
  EXPECT_EQ(stop.address, data + 4);
  EXPECT_EQ(debugger.tile().core(CoreId::brisc).pc, code + 12);
  EXPECT_EQ(read_memory(debugger.tile(), CoreId::brisc, data + 4, 4), std::string("\5\0\0\0", 4));
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);  // the store lands without a second stop
}

TEST_P(DebuggerTest, ReadAndAccessWatchpointsCatchWhatTheyShould) {
  guest.start(CoreId::brisc, code, store_five);
  for (const auto& [kind, address, pc] : {std::tuple(Watchpoint::Kind::read, data + 8, code + 16),
                                          std::tuple(Watchpoint::Kind::access, data + 4, code + 12),
                                          std::tuple(Watchpoint::Kind::access, data + 8, code + 16)}) {
    Debugger debugger = started();
    debugger.add_watchpoint({.kind = kind, .address = address, .bytes = 4});
    const Stop stop = run(debugger);
    EXPECT_EQ(stop.kind, Kind::watchpoint);
    EXPECT_EQ(stop.watch, kind);
    EXPECT_EQ(debugger.tile().core(CoreId::brisc).pc, pc);
  }
  Debugger debugger = started();
  debugger.add_watchpoint({.kind = Watchpoint::Kind::read, .address = data + 4, .bytes = 4});
  debugger.add_watchpoint({.kind = Watchpoint::Kind::write, .address = data + 8, .bytes = 4});
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
}

TEST_P(DebuggerTest, AStoreBesideWhatIsWatchedIsNone) {
  guest.start(CoreId::brisc, code, store_five);
  Debugger debugger = started();
  debugger.add_watchpoint({.kind = Watchpoint::Kind::write, .address = data + 8, .bytes = 4});
  debugger.add_watchpoint({.kind = Watchpoint::Kind::write, .address = data + 3, .bytes = 1});
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
}

TEST_P(DebuggerTest, LocalRamIsWatchedForTheCoreThatIsMeant) {
  const std::vector<Word> to_local{lui(t1, 0xFFB00), sw(t1, t1, 16), here};
  guest.start(CoreId::brisc, code, to_local);
  guest.start(CoreId::ncrisc, 0x2000, to_local);
  Debugger debugger = started();
  debugger.add_watchpoint({.kind = Watchpoint::Kind::write, .address = 0xFFB00010, .bytes = 4, .core = CoreId::ncrisc});
  const Stop stop = run(debugger);
  EXPECT_EQ(stop.kind, Kind::watchpoint);
  EXPECT_EQ(stop.core, CoreId::ncrisc);
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
}

TEST_P(DebuggerTest, APushIsAStoreToTheInstructionBuffer) {
  constexpr Word nop = 0x02000000;
  guest.start(CoreId::trisc1, code, {addi(t0, zero, 1), ttinsn(nop), here});
  Debugger debugger = started();
  debugger.add_watchpoint({.kind = Watchpoint::Kind::write, .address = 0xFFE40000, .bytes = 4});
  const Stop stop = run(debugger);
  EXPECT_EQ(stop.kind, Kind::watchpoint);
  EXPECT_EQ(stop.core, CoreId::trisc1);
  EXPECT_EQ(debugger.tile().core(CoreId::trisc1).pc, code + 8);
}

TEST_P(DebuggerTest, WhatADeviceChangesIsNoticedToo) {
  guest.start(CoreId::brisc, code, {addi(t0, zero, 100), addi(t0, t0, -1), bne(t0, zero, -4), here});
  Debugger debugger = started();
  debugger.add_watchpoint({.kind = Watchpoint::Kind::write, .address = data, .bytes = 8});
  debugger.change().devices.memory_operations.push({.due = 50,
                                                    .source = tile::MemoryOperation::Source::value,
                                                    .target = tile::MemoryOperation::Target::l1,
                                                    .to = data,
                                                    .size = 8,
                                                    .value = {1, 2}});
  const Stop stop = run(debugger);
  EXPECT_EQ(stop.kind, Kind::changed);
  EXPECT_EQ(stop.address, data);
  EXPECT_EQ(debugger.tile().now(), 51U);
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
}

const std::vector<Word> poll{lui(t1, 4), fence, lw(t0, t1, 0), beq(t0, zero, -8), addi(a0, t0, 1), here};

TEST_P(DebuggerTest, ADeadlockIsAStopAlsoForAStep) {
  guest.start(CoreId::brisc, code, poll);
  Tile plain = guest.tile;
  plain.run_until(budget);
  Debugger debugger = started();
  debugger.add_breakpoint(code + 16);
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
  EXPECT_EQ(debugger.tile().now(), plain.now());
  EXPECT_EQ(run(debugger, CoreId::brisc).kind, Kind::nothing_left);
  EXPECT_EQ(debugger.halt(), Tile::Halt::nothing_left);
  EXPECT_EQ(debugger.tile_to_explain().core(CoreId::brisc).status, riscv::Core::Status::asleep);
}

TEST_P(DebuggerTest, ACoreThatNobodyLetsGoEndsItsStepWithTheRun) {
  guest.start(CoreId::brisc, code, poll);
  Debugger debugger = started();
  EXPECT_EQ(run(debugger, CoreId::ncrisc).kind, Kind::nothing_left);
}

TEST_P(DebuggerTest, WhatTheUserWritesTakesTheRunOnFromADeadlock) {
  guest.start(CoreId::brisc, code, poll);
  Debugger debugger = started();
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
  ASSERT_TRUE(write_memory(debugger.change(), CoreId::brisc, data, std::string("\7\0\0\0", 4)));
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
  EXPECT_EQ(debugger.tile().core(CoreId::brisc).x[a0], 8U);
}

TEST_P(DebuggerTest, AMailboxThatTheUserFillsIsAskedAgain) {
  // T0 waits for a word of B's.
  guest.start(CoreId::trisc0, code, {lui(t1, 0xFFEC0), lw(t0, t1, 0), addi(a0, t0, 1), here});
  Debugger debugger = started();
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
  EXPECT_EQ(debugger.tile().core(CoreId::trisc0).x[a0], 0U);
  // B's side of its mailbox to T0.
  ASSERT_TRUE(write_memory(debugger.change(), CoreId::brisc, 0xFFEC1000, std::string("\7\0\0\0", 4)));
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
  EXPECT_EQ(debugger.tile().core(CoreId::trisc0).x[a0], 8U);
}

TEST_P(DebuggerTest, AnEbreakIsAStopOfItsCore) {
  guest.start(CoreId::brisc, code, count_down);
  guest.start(CoreId::ncrisc, 0x2000, {addi(t0, zero, 1), ebreak});
  for (const bool walks : {false, true}) {
    Debugger debugger = started();
    if (walks) debugger.add_breakpoint(code + 0x100);
    const Stop stop = run(debugger);
    EXPECT_EQ(stop.kind, Kind::core_stopped);
    EXPECT_EQ(stop.core, CoreId::ncrisc);
    EXPECT_EQ(debugger.halt(), Tile::Halt::core_stopped);
    EXPECT_EQ(first_difference(debugger.tile(), debugger.ended_tile()), "");
  }
}

TEST_P(DebuggerTest, TheBudgetAndTheAwaitedWordEndARun) {
  guest.start(CoreId::brisc, code, {lui(t1, 4), addi(t2, t2, 1), sw(t2, t1, 0), jal(zero, -8)});
  Debugger spent(guest.tile, 1000);
  EXPECT_EQ(run(spent).kind, Kind::budget_spent);
  EXPECT_EQ(spent.tile().now(), 1000U);
  GuestTile storing(GetParam());
  storing.start(CoreId::brisc, code, store_five);
  storing.tile.stop_when(data + 4, 5);
  for (const bool walks : {false, true}) {
    Debugger debugger(storing.tile, budget);
    if (walks) debugger.add_breakpoint(code + 0x100);
    EXPECT_EQ(run(debugger).kind, Kind::met);
    EXPECT_EQ(read_memory(debugger.tile(), CoreId::ncrisc, data + 4, 4), std::string("\5\0\0\0", 4));
  }
}

TEST_P(DebuggerTest, ThereIsABoundToWhatIsLookedFor) {
  Debugger debugger = started();
  for (std::uint32_t i = 0; i < Debugger::most_breakpoints; ++i)
    ASSERT_TRUE(debugger.add_breakpoint(4 * i));
  EXPECT_FALSE(debugger.add_breakpoint(0x8000));
  EXPECT_TRUE(debugger.add_breakpoint(0));  // is there already
  debugger.remove_breakpoint(0);
  EXPECT_TRUE(debugger.add_breakpoint(0x8000));
  EXPECT_FALSE(debugger.add_breakpoint(2));
  for (std::uint32_t i = 0; i < Debugger::most_watchpoints; ++i)
    ASSERT_TRUE(debugger.add_watchpoint({.address = 4 * i}));
  EXPECT_FALSE(debugger.add_watchpoint({.address = 0x8000}));
  debugger.remove_watchpoint({.address = 0});
  EXPECT_FALSE(debugger.add_watchpoint({.address = 0, .bytes = 0}));
  EXPECT_FALSE(debugger.add_watchpoint({.address = 0, .bytes = Debugger::most_watched_bytes + 1}));
  EXPECT_TRUE(debugger.add_watchpoint({.address = 0xFFFFFFF0, .bytes = Debugger::most_watched_bytes}));
}

TEST(DebuggerBlackhole, ABreakpointWithinABundleOfPushesStopsBeforeTheBundle) {
  constexpr Word nop = 0x02000000;
  GuestTile guest(Arch::blackhole);
  guest.start(CoreId::trisc0, code, {ttinsn(nop), ttinsn(nop), ttinsn(nop), ttinsn(nop), here});
  Tile plain = guest.tile;
  plain.run_until(budget);
  Debugger debugger(guest.tile, budget);
  debugger.add_breakpoint(code + 8);
  const Stop stop = run(debugger);
  EXPECT_EQ(stop.kind, Kind::in_bundle);
  EXPECT_EQ(stop.address, code + 8);
  EXPECT_EQ(debugger.tile().core(CoreId::trisc0).pc, code);
  EXPECT_EQ(debugger.tile().core(CoreId::trisc0).retired, 0U);
  EXPECT_EQ(run(debugger).kind, Kind::nothing_left);
  EXPECT_EQ(first_difference(plain, debugger.ended_tile()), "");
}

TEST(DebuggerWormhole, PushesEnterOneByOne) {
  constexpr Word nop = 0x02000000;
  GuestTile guest(Arch::wormhole);
  guest.start(CoreId::trisc0, code, {ttinsn(nop), ttinsn(nop), ttinsn(nop), ttinsn(nop), here});
  Debugger debugger(guest.tile, budget);
  debugger.add_breakpoint(code + 8);
  EXPECT_EQ(run(debugger).kind, Kind::breakpoint);
  EXPECT_EQ(debugger.tile().core(CoreId::trisc0).pc, code + 8);
}

}  // namespace
}  // namespace tensim::debug
