// The coprocessor as a whole: three frontends on one backend, what a port takes, and in which order things happen (C1,
// C11-C15, C39). Word n of a thread is at its gate in cycle 3+n.
#include "tensix/coprocessor.hpp"

#include <set>

#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class CoprocessorTest : public BothArchs {};
TENSIM_BOTH_ARCHS(CoprocessorTest);

Scenario with_operands(Scenario scenario) {
  scenario.src_a_valid = scenario.src_b_valid = true;
  return scenario;
}

TEST_P(CoprocessorTest, ThreeFrontendsShareOneBackend) {  // C1
  // Frontends: a thread that is stuck, with a full frontend, does not slow the others; each has its own MOP
  // configuration, replay buffer and latch.
  const Ran stuck = simulate(GetParam(), {"ttatgetm 1\n" + repeat(60, "NOP"), repeat(20, "NOP"), repeat(20, "NOP")});
  EXPECT_EQ(stuck.issues[0].size(), 0U);
  EXPECT_EQ(stuck.cycles(1).back(), 3U + 19U);
  EXPECT_EQ(stuck.cycles(2).back(), 3U + 19U);
  // Backend: one set of semaphores, mutexes, configuration and units. T1 sees T0's post, and shares the SFPU with it.
  const Ran shared = simulate(GetParam(), {"ttsempost 1\nSFPNOP", "ttsemwait 64,1,1\nINCRWC\nSFPNOP", "SFPNOP"});
  EXPECT_TRUE(shared.finished());
  const Ran unit = simulate(GetParam(), {"SFPNOP", "SFPNOP", "SFPNOP"});
  EXPECT_EQ(unit.cycle_of(0, 0) + unit.cycle_of(1, 0) + unit.cycle_of(2, 0), 3U + 4U + 5U);
}

TEST_P(CoprocessorTest, IssueIsInOrderPerThread) {  // C11
  // A held instruction holds everything behind it, though units are free: MVMUL waits for SrcA, which T1 hands over in
  // 13 (seen in 14); the NOP and the SEMPOST behind it do not overtake.
  const Ran ran = simulate(
      GetParam(), {"NOP\nMVMUL\nNOP\nttsempost 1", repeat(10, "NOP") + "SETDVALID FlipSrcA=1, FlipSrcB=1", ""});
  EXPECT_EQ(ran.cycles(0), (Cycles{3, 14, 15, 16}));
  std::vector<Word> program;
  for (const char* line : {"NOP", "MVMUL", "NOP", "ttsempost 1"})
    program.push_back(assemble(GetParam(), line));
  EXPECT_EQ(ran.words(0), program);
}

TEST_P(CoprocessorTest, CompletionIsInAnyOrderAndNothingTracksDependenciesBetweenUnits) {  // C12
  // PACR 3 is in the packer until 18. The SEMPOST behind it issues in 4 and is done before; T1, which takes the post for
  // "packed", goes on in 6, with the packer still busy (errata 16).
  const Ran ran =
      simulate(GetParam(), {"PACR\nttsempost 1\nSTALLWAIT block=STALL_CFG, cond=PACK0\nSETC16 CfgIndex=40, NewValue=1",
                            "ttsemwait 256,1,1\nSFPNOP", ""});
  EXPECT_EQ(ran.cycle_of(0, "SEMPOST"), 4U);
  EXPECT_LE(ran.cycle_of(1, "SFPNOP"), 7U);
  EXPECT_EQ(ran.cycle_of(0, "SETC16"), 20U);  // the packer is done in 18
  // WRCFG takes two cycles, the SETC16 behind it one: it is done first. Nothing holds it.
  EXPECT_EQ(cycles_of(GetParam(), "WRCFG InputReg=0, CfgIndex=1\nSETC16 CfgIndex=40, NewValue=1"), (Cycles{3, 4}));
}

using isa::Unit;
using tensix::Port;

/// Ports of the unit, by opcode alone.
std::set<Port> ports_of(Unit unit) {
  switch (unit) {
    case Unit::sync: return {Port::semaphores, Port::mutexes};
    case Unit::configuration: return {Port::configuration, Port::thread_config};
    case Unit::unpackers: return {Port::unpackers};
    case Unit::matrix: return {Port::matrix};
    case Unit::packers: return {Port::packers};
    case Unit::vector: return {Port::vector};
    case Unit::scalar: return {Port::scalar};
    case Unit::mover: return {Port::mover};
    case Unit::miscellaneous: return {Port::miscellaneous};
    case Unit::frontend: return {};
  }
  return {};
}

TEST_P(CoprocessorTest, NineUnitsAndTheOpcodeAloneDecides) {  // C13
  std::set<Unit> units;
  std::array<std::set<Unit>, 256> units_of_opcode;
  for (const isa::UnitTable& table : isa::unit_tables)
    for (const isa::Form& form : table.forms)
      if (form.archs.contains(GetParam())) units_of_opcode[form.opcode].insert(form.unit);
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    EXPECT_LE(units_of_opcode[opcode].size(), 1U) << opcode;  // all forms of an opcode go to one unit
    for (const Unit unit : units_of_opcode[opcode]) {
      if (unit != Unit::frontend) units.insert(unit);
      // And that is where the coprocessor sends it, whatever its parameters.
      const Coprocessor coprocessor(GetParam());
      for (const Word parameters : {0U, 0xFFFFFFU, 0x123456U}) {
        const tensix::Operation& operation = coprocessor.operation(Word{opcode} << 24U | parameters);
        EXPECT_TRUE(operation.port == Port::none || ports_of(unit).contains(operation.port)) << opcode;
      }
    }
  }
  EXPECT_EQ(units.size(), 9U);
}

struct Sample {
  const char* unit;
  const char* instruction;
  unsigned per_cycle;  // over all threads
};
constexpr std::array samples{
    Sample{"Sync", "ttatrelm ", 3},  // different mutexes, see below
    Sample{"Configuration", "SETC16 CfgIndex=40, NewValue=1", 3},
    Sample{"Miscellaneous", "NOP", 3},
    Sample{"Scalar", "DMANOP", 1},
    Sample{"Matrix", "INCRWC", 1},
    Sample{"Vector", "SFPNOP", 1},
    Sample{"Unpackers", "UNPACR_NOP.Nop", 1},
    Sample{"Packers", "PACR", 1},
    Sample{"Mover", "XMOV", 1},
};

TEST_P(CoprocessorTest, PortWidths) {  // C14
  for (const auto& [unit, instruction, per_cycle] : samples) {
    std::array<std::string, 3> programs;
    for (unsigned thread = 0; thread < 3; ++thread) {
      const std::string mutex = std::to_string(thread + 2);
      programs[thread] = std::string_view(unit) == "Sync" ? "ttatrelm " + mutex : instruction;
    }
    Scenario scenario = three_threads(GetParam(), programs);
    scenario.timing["pack_data_cycles"] = scenario.timing["mover_cycles"] = 1;
    const Ran ran = simulate(scenario);
    for (unsigned thread = 0; thread < 3; ++thread)
      EXPECT_EQ(ran.cycles(thread), (Cycles{per_cycle == 3 ? 3 : Cycle{3} + thread})) << unit;
  }
}

TEST_P(CoprocessorTest, AnyThreadMayUseAnyUnit) {  // C15
  for (unsigned thread = 0; thread < 3; ++thread)
    for (const auto& [unit, instruction, per_cycle] : samples) {
      const std::string text = std::string_view(unit) == "Sync" ? "ttatgetm 2" : instruction;
      EXPECT_EQ(simulate(one_thread(GetParam(), thread, text)).cycles(thread), (Cycles{3})) << unit << thread;
    }
}

TEST_P(CoprocessorTest, UnpackMathAndPackOverlap) {  // C39
  // Four tiles. T0 unpacks to Dst, T1 multiplies, T2 packs. UNPACK_TO_DEST counts unpacked tiles (at most 2), MATH_DONE
  // tells unpack that a tile's operand has been used, MATH_PACK counts results (at most 2).
  const std::string unpack =
      ".rept 4\nSEMWAIT block=STALL_UNPACK, sem=UNPACK_TO_DEST, cond=STALL_ON_MAX\n"
      "UNPACR.Regular WhichUnpacker=0\nSTALLWAIT block=STALL_SYNC, cond=UNPACK0\n"
      "SEMPOST sem=UNPACK_TO_DEST\nSEMWAIT block=STALL_SYNC, sem=MATH_DONE, cond=STALL_ON_ZERO\n"
      "SEMGET sem=MATH_DONE\n.endr";
  const std::string math =
      ".rept 4, i\nSEMWAIT block=STALL_SYNC, sem=UNPACK_TO_DEST, cond=STALL_ON_ZERO\n"
      "SEMGET sem=UNPACK_TO_DEST\nSEMPOST sem=MATH_DONE\n"
      "SEMWAIT block=STALL_MATH|STALL_SFPU|STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX\n"
      "MVMUL DstRow=8*i\nSTALLWAIT block=STALL_SYNC, cond=MATH|WAIT_SFPU\nSEMPOST sem=MATH_PACK\n.endr";
  const std::string pack =
      ".rept 4\nSEMWAIT block=STALL_TDMA, sem=MATH_PACK, cond=STALL_ON_ZERO\nPACR\n"
      "STALLWAIT block=STALL_SYNC, cond=PACK\nSEMGET sem=MATH_PACK\n.endr";
  Scenario scenario = with_operands(three_threads(GetParam(), {unpack, math, pack}));
  scenario.semaphores = {{1, {0, 2}}, {2, {0, 2}}, {7, {0, 1}}};
  scenario.timing["pack_data_cycles"] = 24;
  const Ran ran = simulate(scenario);
  EXPECT_TRUE(ran.finished());
  for (const unsigned semaphore : {1U, 2U, 7U})
    EXPECT_EQ(ran.value(semaphore), 0U);
  for (std::size_t tile = 0; tile < 4; ++tile) {
    // A tile is unpacked (2 cycles of address, 16 of data), then multiplied (5), then packed.
    EXPECT_GE(ran.cycle_of(1, "MVMUL", tile), ran.cycle_of(0, "UNPACR", tile) + 18);
    EXPECT_GE(ran.cycle_of(2, "PACR", tile), ran.cycle_of(1, "MVMUL", tile) + 5);
  }
  for (std::size_t tile = 1; tile < 3; ++tile) {
    // When the next tile's unpacking starts, this one is in the Matrix Unit and the previous one in the packer.
    const Cycle cycle = ran.cycle_of(0, "UNPACR", tile + 1);
    EXPECT_GE(cycle, ran.cycle_of(1, "MVMUL", tile));
    EXPECT_LT(cycle, ran.cycle_of(1, "MVMUL", tile) + 5);
    EXPECT_GE(cycle, ran.cycle_of(2, "PACR", tile - 1));
    EXPECT_LT(cycle, ran.cycle_of(2, "PACR", tile - 1) + 24);
  }
}

}  // namespace
}  // namespace tensim::test
