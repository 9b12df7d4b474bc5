// Rings through whatever instruction gives a bank back, and through cores.
#include "insight/rings.hpp"

#include <algorithm>

#include "explain/tile_outcome.hpp"
#include "program/image.hpp"
#include "report/hang.hpp"
#include "tests/support/guest_tile.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using insight::Agent;
using insight::Releaser;
using insight::StuckAgent;
using tile::CoreId;
using tile::Tile;
using Rings = std::vector<std::vector<Agent>>;
using Reason = Releaser::Reason;

class Ring : public BothArchs {};
TENSIM_BOTH_ARCHS(Ring);

/// T0 has given both banks of SrcA to the Matrix Unit and waits for one of them; what it would post then lets T1 give one
/// back, with `line`.
Scenario ring_through(Arch arch, const std::string& line) {
  return three_threads(arch, {"SETDVALID FlipSrcA=1\nSETDVALID FlipSrcA=1\n"
                              "STALLWAIT block=STALL_SYNC, cond=SRCA_CLR\nSEMPOST sem=FPU_SFPU",
                              "SEMWAIT block=STALL_MATH, sem=FPU_SFPU, cond=STALL_ON_ZERO\n" + line, ""});
}

TEST_P(Ring, IsFoundThroughEveryInstructionThatGivesABankBack) {
  unsigned instructions = 0;
  for (const isa::UnitTable& unit : isa::unit_tables)
    for (const isa::Form& form : unit.forms) {
      const bool flips = std::ranges::find(form.fields, "FlipSrcA", &isa::Field::name) != form.fields.end();
      if (unit.unit != isa::Unit::matrix || !form.archs.contains(GetParam()) || !flips) continue;
      const Ran ran = simulate(ring_through(GetParam(), std::string(form.name) + " FlipSrcA=1"));
      EXPECT_TRUE(ran.deadlocked()) << form.name;
      EXPECT_EQ(ran.outcome.graph.cycles, (Rings{{Agent::of_thread(0), Agent::of_thread(1)}})) << form.name;
      ++instructions;
    }
  EXPECT_GE(instructions, 16U);
  for (const char* keeps : {"MVMUL", "CONV3S1 FlipSrcB=1", "INCRWC"})
    EXPECT_EQ(simulate(ring_through(GetParam(), keeps)).outcome.graph.cycles, Rings{}) << keeps;
}

// ---- through a core: a T core that runs before BRISC has prepared what it needs ----

constexpr const char* seminit = "SEMINIT max=2, value=0, sem=MATH_PACK";
constexpr std::uint32_t trisc1_buffer = 0xFFE50000;  // as BRISC sees it

/// T1 waits at MATH_PACK's maximum of 0. BRISC fills T1's frontend, and has `behind`, an instruction, behind that.
GuestTile forgotten_hold(Arch arch, const std::string& behind) {
  using namespace rv;
  GuestTile guest(arch);
  guest.start(CoreId::trisc1, 0x2000,
              {ttinsn(assemble(arch, "SEMWAIT block=STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX")),
               ttinsn(assemble(arch, "SEMPOST sem=MATH_PACK")), here});
  guest.start(CoreId::brisc, 0x1000,
              {lui(t1, trisc1_buffer >> 12U), lui(t2, assemble(arch, "NOP") >> 12U), addi(t0, zero, 200), sw(t2, t1, 0),
               addi(t0, t0, -1), bne(t0, zero, -8), lui(t2, assemble(arch, behind) >> 12U),
               addi(t2, t2, static_cast<int>(assemble(arch, behind) & 0x7FFU)), sw(t2, t1, 0), here});
  return guest;
}

TEST_P(Ring, GoesThroughACoreThatWaitsForRoomInTheThreadThatWaitsForIt) {
  GuestTile guest = forgotten_hold(GetParam(), seminit);
  const Tile::Halt halt = guest.tile.run_until(100'000);
  const explain::Outcome outcome = explain::tile_outcome(guest.tile, halt, [](CoreId) { return nullptr; });
  ASSERT_EQ(outcome.kind, OutcomeKind::deadlocked);
  ASSERT_EQ(outcome.graph.agents.size(), 1U);
  const StuckAgent& math = outcome.graph.agents.front();
  ASSERT_EQ(math.unmet.size(), 1U);
  ASSERT_EQ(math.unmet.front().releasers.size(), 1U) << "TRISC1 has ended, and NCRISC is in reset";
  const Releaser& brisc = math.unmet.front().releasers.front();
  EXPECT_EQ(brisc.reason, Reason::stuck) << "nobody knows that nobody will come";
  ASSERT_TRUE(brisc.pusher.has_value());
  EXPECT_EQ(brisc.pusher->core, CoreId::brisc);
  EXPECT_EQ(brisc.pusher->wait, tile::Wait::brisc_entry_full);
  EXPECT_EQ(brisc.pusher->thread, 1U);
  EXPECT_TRUE(math.for_ever);
  EXPECT_EQ(outcome.graph.cycles, (Rings{{Agent::of_thread(1), Agent::of_core(CoreId::brisc)}}));

  Scenario scenario;
  scenario.arch = GetParam();
  const std::string text = report::hang_text(scenario, outcome);
  EXPECT_NE(text.find("BRISC may have it ahead, but waits for room in the frontend of T1"), std::string::npos) << text;
  EXPECT_NE(text.find("wait cycle: T1 -> BRISC -> T1\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("nobody will come"), std::string::npos) << text;
  EXPECT_EQ(text.find("hint"), std::string::npos) << "nobody says who started TRISC1";
  scenario.cores[0].emplace();
  scenario.cores[2].emplace();
  EXPECT_NE(report::hang_text(scenario, outcome).find("hint: TRISC1 ran from the start, beside BRISC"),
            std::string::npos);
  scenario.cores[2]->held = true;
  EXPECT_EQ(report::hints(scenario, outcome), std::vector<std::string>{});
}

/// BRISC's program, as a debugger would know it.
program::Image image_of(const GuestTile& guest) {
  constexpr std::uint32_t words = 16;
  program::Segment code;
  code.load_address = code.run_address = 0x1000;
  code.executable = true;
  code.bytes.resize(4 * words);
  guest.tile.read(code.load_address, code.bytes.data(), code.bytes.size());
  program::Image image;
  image.segments.push_back(code);
  image.source = std::make_shared<program::SourceMap>();
  return image;
}

/// What the explanation says when the program is known.
std::string explained_by_code(GuestTile& guest, Arch arch) {
  const Tile::Halt halt = guest.tile.run_until(100'000);
  const program::Image image = image_of(guest);
  const explain::Outcome outcome =
      explain::tile_outcome(guest.tile, halt, [&](CoreId core) { return core == CoreId::brisc ? &image : nullptr; });
  Scenario scenario;
  scenario.arch = arch;
  return report::hang_text(scenario, outcome);
}

TEST_P(Ring, NamesTheInstructionThatTheCoreHasAhead) {
  GuestTile guest = forgotten_hold(GetParam(), seminit);
  const std::string text = explained_by_code(guest, GetParam());
  EXPECT_NE(text.find("BRISC has SEMINIT max=2, sem=MATH_PACK in its code, at 0x"), std::string::npos) << text;
  EXPECT_NE(text.find("wait cycle: T1 -> BRISC -> T1\n"), std::string::npos) << text;
}

TEST_P(Ring, ThereIsNoneThroughACoreWhoseCodeDoesNotHaveTheInstruction) {
  GuestTile guest = forgotten_hold(GetParam(), "SEMINIT max=2, value=0, sem=FPU_SFPU");
  const std::string text = explained_by_code(guest, GetParam());
  EXPECT_NE(text.find("is left, queued or ahead in the cores' code"), std::string::npos) << text;
  EXPECT_EQ(text.find("wait cycle"), std::string::npos) << text;
}

TEST_P(Ring, NobodyWillComeOnceEveryCoreHasEnded) {
  using namespace rv;
  GuestTile guest(GetParam());
  guest.start(CoreId::trisc1, 0x2000,
              {ttinsn(assemble(GetParam(), "SEMWAIT block=STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX")),
               ttinsn(assemble(GetParam(), "ATGETM mutex=2")), here});
  guest.start(CoreId::brisc, 0x1000, {here});
  const Tile::Halt halt = guest.tile.run_until(100'000);
  const explain::Outcome outcome = explain::tile_outcome(guest.tile, halt, [](CoreId) { return nullptr; });
  ASSERT_EQ(outcome.graph.agents.size(), 1U);
  EXPECT_EQ(outcome.graph.agents.front().unmet.front().releasers.front().reason, Reason::none_left);
  EXPECT_EQ(outcome.graph.cycles, Rings{});
}

}  // namespace
}  // namespace tensim::test
