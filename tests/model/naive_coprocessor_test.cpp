// The naive model against examples worked out by hand from docs/architecture/cycle.md. The arithmetic stands with each:
// "T0 3" is a word of T0 issued in cycle 3; a word pushed in cycle t issues in t+3 at the earliest.
#include "naive_coprocessor.hpp"

#include <cstddef>
#include <stdexcept>

#include <gtest/gtest.h>

#include "isa/table.hpp"

namespace tensim::naive {
namespace {

using isa::Word;
using namespace isa::literals;
using Cycles = std::vector<std::uint64_t>;

constexpr Word word(std::uint8_t opcode, Word parameters = 0) {
  return Word{opcode} << 24U | parameters;
}

constexpr Word nop = word("NOP"_op);
constexpr Word dmanop = word("DMANOP"_op);
constexpr Word adddmareg = word("ADDDMAREG"_op, 0x800000);  // Immediate
constexpr Word setc16 = word("SETC16"_op);
constexpr Word sfpnop = word("SFPNOP"_op);
constexpr Word sfpmov = word("SFPMOV"_op);
constexpr Word incrwc = word("INCRWC"_op);
constexpr Word sempost(Word semaphores) {
  return word("SEMPOST"_op, semaphores << 2U);
}
constexpr Word semget(Word semaphores) {
  return word("SEMGET"_op, semaphores << 2U);
}
constexpr Word seminit(Word maximum, Word value, Word semaphores) {
  return word("SEMINIT"_op, maximum << 20U | value << 16U | semaphores << 2U);
}
constexpr Word semwait(Word block, Word semaphores, Word condition) {
  return word("SEMWAIT"_op, block << 15U | semaphores << 2U | condition);
}
constexpr Word stallwait(Word block, Word condition) {
  return word("STALLWAIT"_op, block << 15U | condition);
}
constexpr Word atgetm(Word mutex) {
  return word("ATGETM"_op, mutex);
}
constexpr Word atrelm(Word mutex) {
  return word("ATRELM"_op, mutex);
}
constexpr Word record(Word index, Word count, bool execute) {
  return word("REPLAY"_op, index << 14U | count << 4U | (execute ? 2U : 0U) | 1U);
}
constexpr Word play(Word index, Word count) {
  return word("REPLAY"_op, index << 14U | count << 4U);
}
constexpr Word flip_a = 1;
constexpr Word flip_b = 2;
constexpr Word setdvalid(Word flips) {
  return word("SETDVALID"_op, flips);
}
constexpr Word setrwc(Word flips) {
  return word("SETRWC"_op, flips << 22U);
}
constexpr Word cleardvalid(Word flips, bool keep = false, bool reset = false) {
  return word("CLEARDVALID"_op, flips << 22U | (keep ? 2U : 0U) | (reset ? 1U : 0U));
}

// Block bits.
constexpr Word stall_sync = 0x002;
constexpr Word stall_math = 0x040;
constexpr Word stall_cfg = 0x080;
constexpr Word stall_sfpu = 0x100;
constexpr Word stall_thread = 0x1FF;
constexpr Word on_zero = 1;
constexpr Word on_max = 2;

// Conditions (errata 32). THCON is C0 on both chips and never holds here.
constexpr Word thcon = 1;
constexpr Word math(Arch arch) {
  return arch == Arch::wormhole ? 1U << 7U : 1U << 4U;
}
constexpr Word srca_clr(Arch arch) {
  return arch == Arch::wormhole ? 1U << 8U : 1U << 5U;
}
constexpr Word srca_vld(Arch arch) {
  return arch == Arch::wormhole ? 1U << 10U : 1U << 7U;
}
constexpr Word cfgexu = 1U << 12U;  // Blackhole

std::vector<Word> repeat(std::size_t count, Word repeated) {
  return std::vector<Word>(count, repeated);
}

std::vector<Word> operator+(std::vector<Word> words, const std::vector<Word>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// The cycles in which the words of a thread were issued.
Cycles cycles(const Result& result, unsigned thread) {
  Cycles found;
  for (const Issue& issue : result.issues)
    if (issue.thread == thread) found.push_back(issue.cycle);
  return found;
}

std::vector<Word> words(const Result& result, unsigned thread) {
  std::vector<Word> found;
  for (const Issue& issue : result.issues)
    if (issue.thread == thread) found.push_back(issue.word);
  return found;
}

Result simulate(Arch arch, std::array<std::vector<Word>, 3> threads,
                std::array<std::pair<unsigned, unsigned>, 8> semaphores = {}) {
  return run(arch, {.threads = std::move(threads), .semaphores = semaphores}, 10'000);
}

class Naive : public ::testing::TestWithParam<Arch> {};
INSTANTIATE_TEST_SUITE_P(Archs, Naive, ::testing::ValuesIn(all_archs),
                         [](const auto& instance) { return std::string(name(instance.param)); });

// ---- Frontend. ----

TEST_P(Naive, FirstWordIssuesInCycle3ThenOnePerCycleAndThread) {
  // Pushed 0, leaves the MOP Expander 1, the Replay Expander 2, issued 3. Miscellaneous Unit: one per thread per cycle.
  const Result result = simulate(GetParam(), {repeat(3, nop), repeat(2, nop), {}});
  EXPECT_EQ(result.issues, (std::vector<Issue>{{0, 3, nop}, {1, 3, nop}, {0, 4, nop}, {1, 4, nop}, {0, 5, nop}}));
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.last_cycle, 5U);
}

TEST_P(Naive, BackPressureStopsTheCore) {
  // The first word waits for mutex 1, which does not exist. Everything behind it fills up and stays.
  // Wormhole: 2 in the gate FIFO, 8 in the replay FIFO, then 32 (T0) or 16 (T1) in the push FIFO: 42 and 26.
  // Blackhole: 29 in all, wherever they are.
  const std::vector<Word> program = std::vector{atgetm(1)} + repeat(60, nop);
  const Result result = simulate(GetParam(), {program, program, {}});
  const bool wormhole = GetParam() == Arch::wormhole;
  EXPECT_EQ(result.pushes[0].size(), wormhole ? 42U : 29U);
  EXPECT_EQ(result.pushes[1].size(), wormhole ? 26U : 29U);
  EXPECT_TRUE(result.issues.empty());
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(result.stuck, (std::array{true, true, false}));
}

TEST_P(Naive, AFullFrontendTakesAWordInTheCycleItGivesOneAway) {
  // ADDDMAREG issues in 3, 6, 9, ...: floor(t/3) are out after cycle t, t+1 are in as long as there is room.
  // Blackhole: 42 - 13 = 29 places are taken after cycle 41. 42 issues one and so pushes one; 43 and 44 push nothing;
  // 45 issues and pushes again, and so on.
  // Wormhole T0: 2 words are in the gate FIFO and 8 in the replay FIFO by then, and 62 - 20 - 10 = 32 in the push FIFO
  // after cycle 61. 62 pushes nothing; 63 issues one, everything behind it moves up, and one is pushed.
  const Result result = simulate(GetParam(), {repeat(80, adddmareg), {}, {}});
  Cycles expected;
  const std::uint64_t full = GetParam() == Arch::wormhole ? 61 : 41;
  for (std::uint64_t t = 0; expected.size() < 80; ++t)
    if (t <= full || t % 3 == 0) expected.push_back(t);
  EXPECT_EQ(result.pushes[0], expected);
  EXPECT_TRUE(result.finished);
}

TEST_P(Naive, ReplayRecordsAndPlaysBack) {
  // record, SFPNOP, SFPMOV, play, NOP are pushed in 0 to 4 and reach the Replay Expander in 2 to 6.
  // 2: record. 3, 4: into slots 31 and 0, nothing emitted. 5: play is taken in and emits SFPNOP, issued 6.
  // 6: SFPMOV emitted, issued 7; NOP has to wait. 7: NOP passes, issued 8.
  const Result recorded = simulate(GetParam(), {{{record(31, 2, false), sfpnop, sfpmov, play(31, 2), nop}, {}, {}}});
  EXPECT_EQ(words(recorded, 0), (std::vector{sfpnop, sfpmov, nop}));
  EXPECT_EQ(cycles(recorded, 0), (Cycles{6, 7, 8}));
  // With Exec the two words also pass while they are recorded: 3 and 4, issued 4 and 5.
  const Result executed = simulate(GetParam(), {{{record(31, 2, true), sfpnop, sfpmov, play(31, 2), nop}, {}, {}}});
  EXPECT_EQ(words(executed, 0), (std::vector{sfpnop, sfpmov, sfpnop, sfpmov, nop}));
  EXPECT_EQ(cycles(executed, 0), (Cycles{4, 5, 6, 7, 8}));
  EXPECT_TRUE(executed.finished);
}

TEST_P(Naive, ReplayCountOf0Is32) {
  // record reaches the Replay Expander in 2, the 32 words in 3 to 34 (issued 4 to 35), play in 35: issued 36 to 67.
  const Result result =
      simulate(GetParam(), {std::vector{record(5, 0, true)} + repeat(32, sfpnop) + std::vector{play(7, 0)}, {}, {}});
  EXPECT_EQ(result.issues.size(), 64U);
  EXPECT_EQ(result.last_cycle, 67U);
}

// ---- Wait Gate. ----

TEST_P(Naive, AnAlreadyMetWaitCostsABlockedFollowerOneCycleAndAnUnblockedOneNone) {
  // STALLWAIT 3. INCRWC stands at the gate in 4 and the latch catches it; nothing keeps the wait, so it is gone for 5.
  const Result blocked = simulate(GetParam(), {{{stallwait(stall_math, thcon), incrwc}, {}, {}}});
  EXPECT_EQ(cycles(blocked, 0), (Cycles{3, 5}));
  const Result unblocked = simulate(GetParam(), {{{stallwait(stall_math, thcon), nop}, {}, {}}});
  EXPECT_EQ(cycles(unblocked, 0), (Cycles{3, 4}));
  // Block mask 0 acts as STALL_MATH, condition mask 0 as units that are idle here; SEMWAIT's condition 0 likewise.
  EXPECT_EQ(cycles(simulate(GetParam(), {{{stallwait(0, 0), incrwc}, {}, {}}}), 0), (Cycles{3, 5}));
  EXPECT_EQ(cycles(simulate(GetParam(), {{{stallwait(0, 0), sfpnop}, {}, {}}}), 0), (Cycles{3, 4}));
  EXPECT_EQ(cycles(simulate(GetParam(), {{{semwait(0, 1, 0), incrwc}, {}, {}}}), 0), (Cycles{3, 5}));
}

TEST_P(Naive, SempostLetsABlockedFollowerPassTwoCyclesLater) {
  // T0: SEMWAIT 3. T1: NOPs 3 to 12, SEMPOST 13. The value is 1 from 14 on, the latch gone for 15: SFPNOP 15.
  // The NOP in front of SFPNOP is not blocked: 4.
  const Result result = simulate(
      GetParam(), {{{semwait(stall_sfpu, 1, on_zero), nop, sfpnop}, repeat(10, nop) + std::vector{sempost(1)}, {}}},
      {{{0, 1}}});
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 4, 15}));
  EXPECT_EQ(cycles(result, 1).back(), 13U);
  EXPECT_EQ(result.semaphores[0], (std::pair{1U, 1U}));
}

TEST_P(Naive, SemwaitLooksAtAllSelectedSemaphoresAndAtTheirMaxima) {
  // T0: SEMWAIT 3 on semaphores 0 (2 of 2) and 1 (1 of 2), while any is full. T1: NOP 3, 4, SEMGET of 0 in 5, SEMINIT
  // of 1 in 6 (to 3 of 3). Start of 4, 5: 0 is full. Start of 6: 1 of 2 and 1 of 2, the latch is gone for 7.
  // The SEMINIT in 6 is too late to matter.
  const Result result =
      simulate(GetParam(), {{{semwait(stall_sfpu, 3, on_max), sfpnop}, {nop, nop, semget(1), seminit(3, 3, 2)}, {}}},
               {{{2, 2}, {1, 2}}});
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 7}));
  EXPECT_EQ(cycles(result, 1), (Cycles{3, 4, 5, 6}));
  EXPECT_EQ(result.semaphores[0], (std::pair{1U, 2U}));
  EXPECT_EQ(result.semaphores[1], (std::pair{3U, 3U}));
}

TEST_P(Naive, OccupancyCountsWhatWasAcceptedInTheSameCycle) {
  // STALLWAIT 3. INCRWC 4 and 5: unblocked, and in the Matrix Unit in 4 and 5, so the wait stays. SETC16 is caught in
  // 6, when the unit is empty: latch gone for 7.
  const Arch arch = GetParam();
  const Result result = simulate(arch, {{{stallwait(stall_cfg, math(arch)), incrwc, incrwc, setc16}, {}, {}}});
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 4, 5, 7}));
  // INCRWCs of T1 in 3 to 8 are none of T0's business.
  const Result other = simulate(arch, {{{stallwait(stall_cfg, math(arch)), setc16}, repeat(6, incrwc), {}}});
  EXPECT_EQ(cycles(other, 0), (Cycles{3, 5}));
}

TEST(NaiveBlackhole, CfgexuWaitsForEveryThread) {
  // T1: SETC16 3 to 7. T0: STALLWAIT 3, latch seen from 4; occupied in 4 to 7, empty in 8, gone for 9.
  const Result result = simulate(Arch::blackhole, {{{stallwait(stall_thread, cfgexu), nop}, repeat(5, setc16), {}}});
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 9}));
}

TEST_P(Naive, SemwaitReplacesALatchOnWormholeOnly) {
  // STALLWAIT 3 waits for a SrcA bank that nobody hands over. SEMWAIT's own condition is met (semaphore 0 is 1).
  // Wormhole: B8 does not catch SEMWAIT, 4; it replaces the latch; SFPNOP is caught in 5, and passes in 6.
  // Blackhole: SEMWAIT is caught for ever.
  const Arch arch = GetParam();
  const Result replaced = simulate(
      arch, {{{stallwait(stall_sfpu, srca_vld(arch)), semwait(stall_sfpu, 1, on_zero), sfpnop}, {}, {}}}, {{{1, 1}}});
  EXPECT_EQ(cycles(replaced, 0), arch == Arch::wormhole ? (Cycles{3, 4, 6}) : (Cycles{3}));
  EXPECT_EQ(replaced.finished, arch == Arch::wormhole);
  EXPECT_EQ(replaced.stuck[0], arch == Arch::blackhole);
  // With B1 in the mask it is caught on both.
  const Result caught = simulate(
      arch, {{{stallwait(stall_sfpu | stall_sync, srca_vld(arch)), semwait(stall_sfpu, 1, on_zero), sfpnop}, {}, {}}},
      {{{1, 1}}});
  EXPECT_EQ(cycles(caught, 0), (Cycles{3}));
  EXPECT_TRUE(caught.stuck[0]);
}

TEST(NaiveWormhole, ANewLatchWinsOverTheDropOfTheOldOne) {
  // STALLWAIT 3 is met at once: to be dropped at the end of 4. SEMWAIT issues in 4 and waits for semaphore 0, which
  // T1 posts in 10 (NOPs 3 to 9): seen 11, SFPNOP 12. Had the drop won, SFPNOP would have passed in 5.
  const Result result =
      simulate(Arch::wormhole, {{{stallwait(stall_sfpu, thcon), semwait(stall_sfpu, 1, on_zero), sfpnop},
                                 repeat(7, nop) + std::vector{sempost(1)},
                                 {}}});
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 4, 12}));
}

// ---- Ports. ----

TEST_P(Naive, SemaphoreGroupIsServedRoundRobin) {
  // One per cycle over all threads: T0 3, T1 4, T2 5, T0 6, T1 7, T2 8.
  const Result all = simulate(GetParam(), {repeat(2, sempost(1)), repeat(2, sempost(1)), repeat(2, sempost(1))});
  EXPECT_EQ(cycles(all, 0), (Cycles{3, 6}));
  EXPECT_EQ(cycles(all, 1), (Cycles{4, 7}));
  EXPECT_EQ(cycles(all, 2), (Cycles{5, 8}));
  EXPECT_EQ(all.semaphores[0].first, 6U);
  // T0 alone in 3. In 4 T2 asks too: T0 was served last, so T1 (nothing), T2 4, T0 5. Waits are in the group:
  const Result two = simulate(GetParam(), {{{sempost(1), stallwait(stall_math, thcon)}, {}, {nop, semget(1)}}});
  EXPECT_EQ(cycles(two, 0), (Cycles{3, 5}));
  EXPECT_EQ(cycles(two, 2), (Cycles{3, 4}));
}

TEST_P(Naive, MatrixAndVectorUnitsTakeOnePerCycle) {
  // Each of the two has its own arbiter. Cycle 3: INCRWC of T0 and SFPNOP of T1; T2's INCRWC waits. 4: T2's INCRWC
  // (after T0 come T1 and T2) and SFPMOV of T0 (after T1 come T2, T0). 5: SFPNOP of T2 (alone).
  const Result result = simulate(GetParam(), {{{incrwc, sfpmov}, {sfpnop}, {incrwc, sfpnop}}});
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 4}));
  EXPECT_EQ(cycles(result, 1), (Cycles{3}));
  EXPECT_EQ(cycles(result, 2), (Cycles{4, 5}));
}

TEST_P(Naive, MutexGoesRoundFromTheReleaser) {
  // At reset T0, T1, T2: T0 gets it in 3. NOPs 4 to 7, ATRELM 8, free from 9: after T0 come T1, T2: T1 9. ATRELM 10.
  // T2 11, ATRELM 12.
  const Result result = simulate(GetParam(), {std::vector{atgetm(2)} + repeat(4, nop) + std::vector{atrelm(2)},
                                              {atgetm(2), atrelm(2)},
                                              {atgetm(2), atrelm(2)}});
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(cycles(result, 1), (Cycles{9, 10}));
  EXPECT_EQ(cycles(result, 2), (Cycles{11, 12}));
  EXPECT_EQ(result.mutex_owner[2], -1);
  // T1 gets it in 3 and again (its own) in 4, releases it in 5; one release is enough. T0 and T2 wait from 4 on; after
  // T1 comes T2: T2 6, which keeps it, so T0 is stuck. The other mutex is free meanwhile.
  const Result kept =
      simulate(GetParam(), {{{nop, atgetm(0)}, {atgetm(0), atgetm(0), atrelm(0)}, {atgetm(4), atgetm(0)}}});
  EXPECT_EQ(cycles(kept, 0), (Cycles{3}));
  EXPECT_EQ(cycles(kept, 1), (Cycles{3, 4, 5}));
  EXPECT_EQ(cycles(kept, 2), (Cycles{3, 6}));
  EXPECT_EQ(kept.mutex_owner[0], 2);
  EXPECT_EQ(kept.mutex_owner[4], 2);
  EXPECT_EQ(kept.stuck, (std::array{true, false, false}));
}

TEST_P(Naive, OneOperationPerMutexAndCycle) {
  // T2 released last (reset), so T0, T1, T2. 3: ATGETM of T0; T1's ATRELM, which changes nothing, is for the same mutex
  // and waits. 4: T0's ATGETM of its own mutex first; T1 still waits. 5: T0 is done: T1's ATRELM.
  const Result result = simulate(GetParam(), {{{atgetm(3), atgetm(3), nop}, {atrelm(3)}, {}}});
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 4, 5}));
  EXPECT_EQ(cycles(result, 1), (Cycles{5}));
  EXPECT_EQ(result.mutex_owner[3], 0);
}

TEST_P(Naive, MutexesThatDoNotExistHoldTheirThreadForEver) {
  // Mutex 5 is Wormhole's only. The threads beside it run on.
  const Result result = simulate(GetParam(), {{{atgetm(5), nop}, {nop}, {atrelm(5), nop}}});
  const bool wormhole = GetParam() == Arch::wormhole;
  // Wormhole: T0's ATGETM first in 3, then T2's ATRELM (not the owner) in 4.
  EXPECT_EQ(cycles(result, 0), wormhole ? (Cycles{3, 4}) : (Cycles{}));
  EXPECT_EQ(cycles(result, 1), (Cycles{3}));
  EXPECT_EQ(cycles(result, 2), wormhole ? (Cycles{4, 5}) : (Cycles{}));
  EXPECT_EQ(result.finished, wormhole);
  EXPECT_EQ(result.stuck, (std::array{!wormhole, false, !wormhole}));
}

TEST_P(Naive, ScalarUnitTakesOneAtATime) {
  // 3 cycles each: at one thread every 3 cycles, at two every 6, at three every 9.
  const Result one = simulate(GetParam(), {repeat(3, adddmareg), {}, {}});
  EXPECT_EQ(cycles(one, 0), (Cycles{3, 6, 9}));
  const Result two = simulate(GetParam(), {repeat(3, adddmareg), repeat(3, adddmareg), {}});
  EXPECT_EQ(cycles(two, 0), (Cycles{3, 9, 15}));
  EXPECT_EQ(cycles(two, 1), (Cycles{6, 12, 18}));
  const Result three = simulate(GetParam(), {repeat(3, adddmareg), repeat(3, adddmareg), repeat(3, adddmareg)});
  EXPECT_EQ(cycles(three, 0), (Cycles{3, 12, 21}));
  EXPECT_EQ(cycles(three, 1), (Cycles{6, 15, 24}));
  EXPECT_EQ(cycles(three, 2), (Cycles{9, 18, 27}));
}

TEST_P(Naive, ScalarInstructionsCloseTheGateOnWormholeOnly) {
  // ADDDMAREG is in its unit in 3, 4, 5. Wormhole: NOP 6, DMANOP 7, NOP 8 (DMANOP takes its own cycle only).
  // Blackhole: NOP 4; DMANOP waits for the unit, 6; NOP 7.
  const Result result = simulate(GetParam(), {{{adddmareg, nop, dmanop, nop}, {}, {}}});
  EXPECT_EQ(cycles(result, 0), GetParam() == Arch::wormhole ? (Cycles{3, 6, 7, 8}) : (Cycles{3, 4, 6, 7}));
}

// ---- Src banks. ----

TEST_P(Naive, SetdvalidHandsABankToTheMatrixUnit) {
  // T0: NOPs 3 to 7, SETDVALID 8; the bank is the Matrix Unit's from 9 on. T1: STALLWAIT 3, latch gone for 10:
  // INCRWC 10.
  const Arch arch = GetParam();
  const Result result = simulate(
      arch, {{repeat(5, nop) + std::vector{setdvalid(flip_a)}, {stallwait(stall_math, srca_vld(arch)), incrwc}, {}}});
  EXPECT_EQ(cycles(result, 1), (Cycles{3, 10}));
  EXPECT_TRUE(result.matrix_owns_bank[0][0]);
  EXPECT_FALSE(result.matrix_owns_bank[0][1]);
  EXPECT_FALSE(result.matrix_owns_bank[1][0]);
}

TEST_P(Naive, BanksGoRound) {
  // T0 hands both SrcA banks over in 3 and 4, so unpacker 0 points at bank 0 again, which is not the unpackers'. Its
  // STALLWAIT 5 on SRCA_CLR blocks the third SETDVALID (B0). T1: NOPs 3 to 9, SETRWC 10 gives bank 0 back: the
  // unpackers' from 11, latch gone for 12: SETDVALID 12. The Matrix Unit points at bank 1 and owns it: SRCA_VLD is met.
  // T1: STALLWAIT 11, latch gone for 13: INCRWC 13.
  const Arch arch = GetParam();
  const Result result =
      simulate(arch, {{{setdvalid(flip_a), setdvalid(flip_a), stallwait(1, srca_clr(arch)), setdvalid(flip_a)},
                       repeat(7, nop) + std::vector{setrwc(flip_a), stallwait(stall_math, srca_vld(arch)), incrwc},
                       {}}});
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 4, 5, 12}));
  EXPECT_EQ(cycles(result, 1), (Cycles{3, 4, 5, 6, 7, 8, 9, 10, 11, 13}));
  EXPECT_EQ(result.matrix_owns_bank, (std::array<std::array<bool, 2>, 2>{{{true, true}, {false, false}}}));
}

TEST_P(Naive, CleardvalidKeepsItsBankOrResetsEverything) {
  // Both banks of A and of B go to the Matrix Unit (3, 4). With KeepReadingSameSrc (5, 6) bank 0 of A goes back twice
  // and the pointer stays; the plain CLEARDVALID (7) gives 0 back once more and moves on; another one (8) gives back 1.
  const std::vector<Word> fill = {setdvalid(flip_a | flip_b), setdvalid(flip_a | flip_b)};
  const std::vector<Word> keep = {cleardvalid(flip_a, true), cleardvalid(flip_a, true)};
  const Result kept = simulate(GetParam(), {fill + keep + std::vector{cleardvalid(flip_a)}, {}, {}});
  EXPECT_EQ(kept.matrix_owns_bank, (std::array<std::array<bool, 2>, 2>{{{false, true}, {true, true}}}));
  const Result moved = simulate(GetParam(), {fill + keep + repeat(2, cleardvalid(flip_a)), {}, {}});
  EXPECT_EQ(moved.matrix_owns_bank, (std::array<std::array<bool, 2>, 2>{{{false, false}, {true, true}}}));
  // One SETDVALID of A leaves unpacker 0 at bank 1. After a Reset it is back at 0, so the next one hands over bank 0.
  const Result reset =
      simulate(GetParam(), {{{setdvalid(flip_a), cleardvalid(0, false, true), setdvalid(flip_a)}, {}, {}}});
  EXPECT_EQ(reset.matrix_owns_bank, (std::array<std::array<bool, 2>, 2>{{{true, false}, {false, false}}}));
}

// ---- Choices of this model where the page is silent. ----

TEST_P(Naive, ChoiceSetdvalidsOfOneCycleAllCount) {
  // T0 and T1 in 3: one bank each, whoever comes first.
  const Result result = simulate(GetParam(), {{{setdvalid(flip_a)}, {setdvalid(flip_a)}, {}}});
  EXPECT_EQ(result.matrix_owns_bank, (std::array<std::array<bool, 2>, 2>{{{true, true}, {false, false}}}));
}

TEST_P(Naive, ChoiceSetdvalidWinsOverAReturnOfTheSameBankButNotOverAReset) {
  // Both in 3, both about bank 0.
  const Result returned = simulate(GetParam(), {{{setdvalid(flip_a)}, {cleardvalid(flip_a)}, {}}});
  EXPECT_TRUE(returned.matrix_owns_bank[0][0]);
  const Result reset = simulate(GetParam(), {{{setdvalid(flip_a)}, {cleardvalid(0, false, true)}, {}}});
  EXPECT_FALSE(reset.matrix_owns_bank[0][0]);
}

TEST_P(Naive, ChoiceOnlyARealReleaseMovesTheMutexOrder) {
  // T0's ATRELM in 3 releases nothing, so in 4 the order is still T0, T1, T2. Had it counted, T1 would be first.
  const Result result = simulate(GetParam(), {{{atrelm(0), atgetm(0)}, {nop, atgetm(0)}, {}}});
  EXPECT_EQ(result.mutex_owner[0], 0);
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 4}));
}

TEST_P(Naive, ChoiceRecordingNeedsNoRoomInTheGateFifo) {
  // T0: SEMWAIT 3, two SFPNOPs wait at the gate until T1's SEMPOST in 23 (NOPs 3 to 22): 25 and 26. Behind them the
  // record and its eight words are swallowed meanwhile, so the NOP stands right behind the SFPNOPs: 27.
  const Result result = simulate(
      GetParam(), {std::vector{semwait(stall_sfpu, 1, on_zero), sfpnop, sfpnop, record(0, 8, false)} + repeat(9, nop),
                   repeat(20, nop) + std::vector{sempost(1)},
                   {}});
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 25, 26, 27}));
}

TEST_P(Naive, ChoiceReplayBufferContentsAreNotInterpretedAndStartAsNops) {
  // A REPLAY among the words to record is recorded, and passed with Exec, as it is: record 2, then 3 (issued 4) and 4
  // (issued 5). play is taken in in 5: slot 0 NOP 6, slot 1 REPLAY 7, slot 2, never recorded, 8.
  const Result result = simulate(GetParam(), {{{record(0, 2, true), nop, play(9, 3), play(0, 3)}, {}, {}}});
  EXPECT_EQ(words(result, 0), (std::vector{nop, play(9, 3), nop, play(9, 3), Word{0}}));
  EXPECT_EQ(cycles(result, 0), (Cycles{4, 5, 6, 7, 8}));
}

// ---- The model's own manners. ----

TEST_P(Naive, StopsAtTheCycleLimitWithoutCallingAThreadStuck) {
  // Cycles 0 to 4 are run: the words of cycles 3 and 4 are out, three are left.
  const Result result = run(GetParam(), {.threads = {repeat(5, nop), {}, {}}}, 5);
  EXPECT_EQ(cycles(result, 0), (Cycles{3, 4}));
  EXPECT_FALSE(result.finished);
  EXPECT_FALSE(result.stuck[0]);
}

TEST_P(Naive, RefusesWhatItDoesNotModel) {
  EXPECT_THROW(simulate(GetParam(), {{{word("MVMUL"_op)}, {}, {}}}), std::invalid_argument);
  EXPECT_THROW(simulate(GetParam(), {{{word("MOP"_op)}, {}, {}}}), std::invalid_argument);
  EXPECT_THROW(simulate(GetParam(), {{{word("ADDDMAREG"_op)}, {}, {}}}), std::invalid_argument);  // Register
}

}  // namespace
}  // namespace tensim::naive
