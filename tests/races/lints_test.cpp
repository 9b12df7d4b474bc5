// Lints beside races: each kind in a form that is reported, and in one that is not.
#include "report/lints.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/causes.hpp"
#include "report/explanation.hpp"
#include "report/run.hpp"
#include "tests/races/race_kernel.hpp"
#include "tests/support/riscv_words.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using insight::LintKind;
using report::FoundLint;

class Lints : public BothArchs {};
TENSIM_BOTH_ARCHS(Lints);

constexpr std::uint32_t semaphore_window = 0xFFE80020;

struct Checked {
  Scenario scenario;
  scenario::Outcome outcome;

  std::vector<FoundLint> lints() const { return report::found_lints(scenario, outcome); }
  std::string text() const { return report::run_report(scenario, outcome, report::Format::plain); }
  nlohmann::json json() const {
    return nlohmann::json::parse(report::run_report(scenario, outcome, report::Format::json));
  }
};

Checked check(const Scenario& scenario) {
  scenario::RunOptions options;
  options.races.emplace();
  return {scenario, scenario::run(scenario, options)};
}

/// With MATH_PACK, whose bit is 2, at a value.
Scenario with_semaphore(Arch arch, const std::array<std::string, 3>& programs, std::uint8_t value, std::uint8_t max) {
  Scenario scenario = three_threads(arch, programs);
  scenario.semaphores[1] = {value, max};
  return scenario;
}

/// The only one that there is.
FoundLint only_lint(const Checked& checked, LintKind kind) {
  const std::vector<FoundLint> found = checked.lints();
  EXPECT_EQ(found.size(), 1U) << checked.text();
  if (found.empty()) return {};
  EXPECT_EQ(found.front().kind, kind) << checked.text();
  return found.front();
}

void expect_silent(const Checked& checked) {
  EXPECT_TRUE(checked.outcome.lints.has_value());
  EXPECT_TRUE(checked.lints().empty()) << checked.text();
}

// ---- semaphores ----

TEST_P(Lints, AGetAtZeroIsLost) {
  const Checked lost = check(with_semaphore(GetParam(), {"", "", ".rept 3\nSEMGET sem=MATH_PACK\n.endr"}, 0, 2));
  const FoundLint lint = only_lint(lost, LintKind::lost_update);
  EXPECT_EQ(lint.count, 3U);
  EXPECT_EQ(lint.cycle, 3U);
  EXPECT_EQ(lint.semaphore, 1U);
  EXPECT_EQ(lint.text, "T2's SEMGET sem=MATH_PACK (T2:2) takes from semaphore 1 (MATH_PACK) at 0: lost");
  EXPECT_NE(lost.text().find("lint: " + lint.text + "; 3 times, first in cycle 3 [LINT-lost-update]\n"),
            std::string::npos)
      << lost.text();
  EXPECT_EQ(lost.text().find("note:"), std::string::npos) << lost.text();
  expect_silent(check(with_semaphore(GetParam(), {"", "", ".rept 3\nSEMGET sem=MATH_PACK\n.endr"}, 3, 3)));
}

TEST_P(Lints, APostAtFifteenIsLost) {
  const Checked lost = check(with_semaphore(GetParam(), {"", "SEMPOST sem=MATH_PACK", ""}, 15, 15));
  EXPECT_EQ(only_lint(lost, LintKind::lost_update).text,
            "T1's SEMPOST sem=MATH_PACK (T1:1) posts semaphore 1 (MATH_PACK) at 15: lost");
  expect_silent(check(with_semaphore(GetParam(), {"", "SEMPOST sem=MATH_PACK", ""}, 14, 15)));
}

TEST_P(Lints, OfSeveralSemaphoresThoseAtTheirLimitAreNamed) {
  Scenario scenario = with_semaphore(GetParam(), {"SEMGET sem=0x7", "", ""}, 1, 2);
  scenario.semaphores[0] = {0, 2};
  scenario.semaphores[2] = {0, 2};
  const std::vector<FoundLint> found = check(scenario).lints();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].semaphore, 0U);
  EXPECT_EQ(found[1].semaphore, 2U);
}

TEST_P(Lints, ACoresStoreIsLostAsAnInstructionIs) {
  Scenario scenario = with_semaphore(GetParam(), {"", "", ""}, 0, 2);
  scenario.actions = {store(5, T1, semaphore_window + 4, 1), store(15, T1, semaphore_window + 4, 1)};
  const Checked lost = check(scenario);
  const std::vector<FoundLint> found = lost.lints();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, LintKind::lost_update);
  EXPECT_EQ(found[0].semaphore, 1U);
  EXPECT_TRUE(found[0].text.starts_with("TRISC1's store")) << found[0].text;
  EXPECT_TRUE(found[0].text.ends_with("takes from semaphore 1 (MATH_PACK) at 0: lost")) << found[0].text;
  scenario.semaphores[1] = {2, 2};
  expect_silent(check(scenario));
  scenario.semaphores[1] = {14, 15};
  for (CoreAction& action : scenario.actions)
    action.value = 0;
  const std::vector<FoundLint> posted = check(scenario).lints();  // the second one
  ASSERT_EQ(posted.size(), 1U);
  EXPECT_TRUE(posted[0].text.ends_with("posts semaphore 1 (MATH_PACK) at 15: lost")) << posted[0].text;
}

TEST_P(Lints, SeminitForgetsPostsThatNobodyHasTaken) {
  const std::string start = "SEMINIT max=2, value=0, sem=MATH_PACK\n.rept 2\nSEMPOST sem=MATH_PACK\n.endr\n";
  const Checked discarded = check(three_threads(GetParam(), {"", start + "SEMINIT max=2, value=0, sem=MATH_PACK", ""}));
  const FoundLint lint = only_lint(discarded, LintKind::discarded_value);
  EXPECT_EQ(lint.text,
            "T1's SEMINIT max=2, sem=MATH_PACK (T1:5) sets semaphore 1 (MATH_PACK), which has 2, anew: 2 posts are "
            "forgotten");
  EXPECT_EQ(lint.semaphore, 1U);
  expect_silent(check(three_threads(
      GetParam(), {"", start + ".rept 2\nSEMGET sem=MATH_PACK\n.endr\nSEMINIT max=2, value=0, sem=MATH_PACK", ""})));
}

TEST_P(Lints, SeminitForgetsGetsThatNobodyHasGivenBack) {
  const std::string start = "SEMINIT max=2, value=2, sem=MATH_PACK\nSEMGET sem=MATH_PACK\n";
  const Checked discarded = check(three_threads(GetParam(), {"", start + "SEMINIT max=2, value=2, sem=MATH_PACK", ""}));
  EXPECT_TRUE(only_lint(discarded, LintKind::discarded_value).text.ends_with("which has 1, anew: 1 get is forgotten"));
}

/// What a kernel finds in its semaphores when it starts is nobody's any more.
TEST_P(Lints, SeminitAtAKernelsStartIsSilent) {
  expect_silent(check(with_semaphore(GetParam(), {"", "SEMINIT max=2, value=0, sem=MATH_PACK", ""}, 1, 2)));
  expect_silent(check(three_threads(GetParam(), {"", "SEMINIT max=2, value=0, sem=0xff", ""})));
}

TEST_P(Lints, SeminitWithTheValueThatIsThereForgetsNothing) {
  expect_silent(check(with_semaphore(
      GetParam(), {"", "SEMPOST sem=MATH_PACK\nSEMINIT max=3, value=1, sem=MATH_PACK\nSEMGET sem=MATH_PACK", ""}, 0,
      2)));
}

// ---- waits ----

const std::string vector_work = "SFPLOADI VD=L0, Mod0=FLOATB, Imm16=0x3F80\nSFPSTORE VD=L0, Imm10=0\n";
const std::string semwait = "SEMWAIT block=STALL_MATH, sem=MATH_PACK, cond=STALL_ON_MAX\n";

TEST_P(Lints, ASemwaitBehindAWaitThatDoesNotCatchItDisplacesIt) {  // W43
  const auto run = [&](const std::string& block, const std::string& between) {
    const std::string pack =
        "SETADCXX PK=1, X1Val=15, X0Val=0\nPACR Last=1\nSTALLWAIT block=" + block + ", cond=PACK\n";
    return check(with_semaphore(GetParam(), {"", "", pack + between + semwait}, 0, 1));
  };
  const Checked displaced = run("STALL_CFG", "");
  if (is_blackhole()) return expect_silent(displaced);
  const FoundLint lint = only_lint(displaced, LintKind::displaced_wait);
  EXPECT_EQ(lint.unmet, 1U);
  EXPECT_EQ(lint.text,
            "T2's SEMWAIT block=STALL_MATH, sem=MATH_PACK, cond=STALL_ON_MAX (T2:4) displaces T2's STALLWAIT "
            "block=STALL_CFG, cond=PACK3|PACK2|PACK1|PACK0 (T2:3) before that has held anything");
  EXPECT_NE(displaced.text().find("; once, before it was met, in cycle 6 [LINT-displaced-wait]"), std::string::npos)
      << displaced.text();
  expect_silent(run("STALL_CFG|STALL_SYNC", ""));
  expect_silent(run("STALL_CFG", "RMWCIB0 Mask=3, NewValue=1, Index4=1\n"));
}

/// It has held nothing then, either: that its conditions were met in time is luck.
TEST_P(Lints, AWaitThatIsMetWhenItIsDisplacedIsSaidToBe) {
  for (const std::string between : {"", "NOP\nNOP\nNOP\n"}) {
    const Checked met = check(
        with_semaphore(GetParam(), {"", "", "STALLWAIT block=STALL_PACK, cond=WAIT_SFPU\n" + between + semwait}, 0, 1));
    if (is_blackhole()) {
      expect_silent(met);
      continue;
    }
    EXPECT_EQ(only_lint(met, LintKind::displaced_wait).unmet, 0U);
    EXPECT_NE(met.text().find("; once, when it was met, in cycle"), std::string::npos) << met.text();
  }
}

/// What takes the place of a wait that is met in the same cycle is waited for itself: T2 is behind T1's post.
TEST_P(Lints, ASemwaitInThePlaceOfAWaitThatIsMetOrdersAsEver) {
  const Checked ordered = check(with_semaphore(
      GetParam(),
      {"",
       repeat(20, "NOP") + vector_work + "STALLWAIT block=STALL_SYNC, cond=MATH|WAIT_SFPU\n" + "SEMPOST sem=MATH_PACK",
       "SETADCXX PK=1, X1Val=15, X0Val=0\nSTALLWAIT block=STALL_PACK, cond=WAIT_SFPU\n"
       "SEMWAIT block=STALL_TDMA, sem=MATH_PACK, cond=STALL_ON_ZERO\nPACR Last=1"},
      0, 2));
  EXPECT_TRUE(ordered.outcome.races->found().empty()) << ordered.text();
}

// ---- reports of others ----

TEST_P(Lints, WordsLostAtTheMux) {
  Scenario scenario = three_threads(GetParam(), {"NOP\nDMANOP\nSFPNOP", "", ""});
  scenario.actions = {store(1, B, 0xFFE40000, assemble(GetParam(), "NOP"))};
  EXPECT_EQ(only_lint(check(scenario), LintKind::mux_drop).text,
            "T0's DMANOP (T0:2): lost at the mux: BRISC pushed in the same cycle");
  scenario.actions = {store(20, B, 0xFFE40000, assemble(GetParam(), "NOP"))};
  expect_silent(check(scenario));
}

TEST_P(Lints, ReadsOfWhatNobodyHasWritten) {
  const std::string read = "WRCFG InputReg=8, CfgIndex=1\nNOP";
  EXPECT_TRUE(only_lint(check(three_threads(GetParam(), {read, "", ""})), LintKind::uninitialised_read)
                  .text.ends_with("GPR 8 of T0 is read before anybody has written it"));
  expect_silent(check(three_threads(GetParam(), {"SETDMAREG.Immediate ResultHalfReg=16, NewValue=1\n"
                                                 "SETDMAREG.Immediate ResultHalfReg=17, NewValue=1\n"
                                                 "STALLWAIT block=STALL_CFG, cond=THCON\n" +
                                                     read,
                                                 "", ""})));
}

/// It leaves the bits that it does not write as they are: that stays a note.
TEST_P(Lints, AMaskedWriteOfAWordThatNobodyHasWrittenIsNone) {
  const Checked masked = check(three_threads(GetParam(), {"RMWCIB0 Mask=3, NewValue=1, Index4=1", "", ""}));
  expect_silent(masked);
  EXPECT_NE(masked.text().find("note: T0 in cycle 3"), std::string::npos) << masked.text();
}

TEST_P(Lints, VectorReadsBeforeTheResultIsThere) {
  const Checked early = check(three_threads(GetParam(), {"", "SFPMAD VA=0, VB=1, VC=2, VD=3\nSFPMOV VC=3, VD=4", ""}));
  if (is_blackhole())
    expect_silent(early);
  else
    EXPECT_TRUE(only_lint(early, LintKind::early_read).text.starts_with("T1's SFPMOV VC=L3, VD=L4 (T1:2): reads"))
        << early.text();
  expect_silent(check(three_threads(GetParam(), {"", "SFPMAD VA=0, VB=1, VC=2, VD=3\nSFPNOP\nSFPMOV VC=3, VD=4", ""})));
  const Checked hole = check(  // Blackhole's interlock does not see VD of SFPSHFT
      three_threads(GetParam(), {"", "SFPMAD VA=0, VB=1, VC=2, VD=3\nSFPSHFT VC=9, VD=3", ""}));
  EXPECT_EQ(only_lint(hole, LintKind::early_read).count, 1U);
}

std::string words_of(const std::vector<rv::Word>& code) {
  std::string text;
  for (const rv::Word word : code)
    text += fmt::format("{:#x}, ", word);
  return text;
}

/// TRISC0 loads a word, waits until BRISC has changed it, perhaps does a fence, and loads it again.
Checked read_changed_word(Arch arch, bool fences) {
  using namespace rv;
  const std::vector<rv::Word> reader{lui(s0, 0x20),    lw(t0, s0, 0),     addi(t2, zero, 200),
                                     addi(t2, t2, -1), bne(t2, zero, -4), fences ? fence : addi(zero, zero, 0),
                                     lw(a0, s0, 0),    addi(a1, a0, 0),   jal(zero, 0)};
  std::vector<rv::Word> writer{lui(s0, 0x20), addi(t0, zero, 5)};
  writer.insert(writer.end(), 30, addi(zero, zero, 0));
  writer.insert(writer.end(), {sw(t0, s0, 0), jal(zero, 0)});
  const std::string text = fmt::format(
      "arch = \"{}\"\n[cores]\nbrisc = {{ raw = \"begin.bin\", address = 0x8000 }}\n"
      "trisc0 = {{ raw = \"begin.bin\", address = 0x12000 }}\n"
      "[[memory]]\naddress = 0x8004\nwords = [{}]\n[[memory]]\naddress = 0x12004\nwords = [{}]\n",
      name(arch), words_of(writer), words_of(reader));
  const auto nop_only = [](const std::string&) { return isa::LoadedText{std::string("\x13\0\0\0", 4), {}}; };
  auto parsed = scenario::parse_scenario(text, "stale.toml", nop_only);
  const auto* problem = std::get_if<scenario::Problem>(&parsed);
  EXPECT_EQ(problem, nullptr) << problem->text;
  if (problem != nullptr) return {};
  return check(std::get<Scenario>(parsed));
}

TEST_P(Lints, LoadsThatTheL0CacheAnswersWithOldValues) {
  const Checked stale = read_changed_word(GetParam(), false);
  if (!is_blackhole()) return expect_silent(stale);
  EXPECT_EQ(only_lint(stale, LintKind::stale_read).text,
            "TRISC0 at 0x1201c: a load of word 0x00020000 gets 0x0 from the L0 data cache, but L1 holds 0x5; a fence "
            "before it would help");
  expect_silent(read_changed_word(GetParam(), true));
}

// ---- all of them ----

TEST_P(Lints, WithoutTheCheckTheyAreNotesOrNothing) {
  const Scenario scenario = with_semaphore(GetParam(), {"", "", "SEMGET sem=MATH_PACK"}, 0, 2);
  const Checked plain{scenario, scenario::run(scenario)};
  EXPECT_FALSE(plain.outcome.lints.has_value());
  EXPECT_FALSE(plain.json().contains("lints"));
  EXPECT_EQ(plain.text().find("lint:"), std::string::npos);
  EXPECT_NE(plain.text().find("semaphore 1 is at its limit: nothing happens"), std::string::npos) << plain.text();
}

TEST_P(Lints, StandInTheDocumentBesideRaces) {
  const nlohmann::json document =
      check(with_semaphore(GetParam(), {"", "", "SEMGET sem=MATH_PACK\nSEMGET sem=MATH_PACK"}, 0, 2)).json();
  EXPECT_TRUE(document.at("races").empty());
  ASSERT_EQ(document.at("lints").size(), 2U);
  EXPECT_EQ(document["lints"][0]["lint"], "lost-update");
  EXPECT_EQ(document["lints"][0]["semaphore"], 1);
  EXPECT_EQ(document["lints"][0]["count"], 1);
  EXPECT_EQ(document["lints"][0]["cycle"], 3);
  EXPECT_EQ(document["reports"].size(), 2U);
}

TEST(LintKinds, AreExplained) {
  for (const insight::LintRow& row : insight::lint_rows) {
    const auto text = report::explain(Arch::blackhole, fmt::format("LINT-{}", row.name), false, report::Format::plain);
    ASSERT_TRUE(std::holds_alternative<std::string>(text)) << row.name;
    EXPECT_NE(std::get<std::string>(text).find(row.text), std::string::npos);
    const auto json = report::explain(Arch::wormhole, fmt::format("lint-{}", row.name), false, report::Format::json);
    ASSERT_TRUE(std::holds_alternative<std::string>(json)) << row.name;
    EXPECT_EQ(nlohmann::json::parse(std::get<std::string>(json))["lint"], row.name);
  }
  const auto unknown = report::explain(Arch::blackhole, "LINT-19", false, report::Format::plain);
  ASSERT_TRUE(std::holds_alternative<report::ExplainProblem>(unknown));
  EXPECT_NE(std::get<report::ExplainProblem>(unknown).text.find("LINT-lost-update"), std::string::npos);
}

/// What is in order has none, on either chip. CFGSHIFTMASK's own kernel lets it shift what nobody has written, and one is about a wait
/// that is displaced.
TEST(LintCorpus, CorrectFormsOfTheRaceKernelsAreSilent) {
  for (const std::string& file : races::all_kernels()) {
    const races::Kernel kernel = races::read_kernel(file);
    for (const Arch arch : all_archs) {
      if (!kernel.runs_on(arch) || file == "config_cfgshiftmask_then_user.toml" ||
          file == "wait_over_when_the_next_comes.toml")
        continue;
      const races::CheckedRun run = races::run_checked(kernel.file, kernel.correct(arch));
      for (const FoundLint& lint : report::found_lints(run.scenario, run.ran.outcome))
        ADD_FAILURE() << file << " on " << name(arch) << ": " << lint.text;
    }
  }
}

// ---- what a deadlock comes from ----

/// T2 takes before T1 has posted, so that the post stays, and T1 waits for ever for room for the next.
TEST_P(Lints, ADeadlockOverALostGetBeginsWithIt) {
  const std::string posts =
      "NOP\nNOP\nNOP\n.rept 2\nSEMWAIT block=STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_MAX\n"
      "SEMPOST sem=MATH_PACK\n.endr\n";
  const Checked lost = check(with_semaphore(GetParam(), {"", posts, "SEMGET sem=MATH_PACK"}, 0, 1));
  EXPECT_EQ(lost.outcome.kind, OutcomeKind::deadlocked);
  EXPECT_NE(lost.text().find("\n\nlook here first: T2's SEMGET sem=MATH_PACK (T2:1) takes from semaphore 1 "
                             "(MATH_PACK) at 0: lost, in cycle 3\n\nT1 is held at SEMPOST"),
            std::string::npos)
      << lost.text();
  EXPECT_EQ(lost.json().at("look_here_first").size(), 1U);
  const Checked waits = check(with_semaphore(
      GetParam(), {"", posts, "SEMWAIT block=STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_ZERO\nSEMGET sem=MATH_PACK"}, 0,
      1));
  EXPECT_EQ(waits.outcome.kind, OutcomeKind::finished);
  EXPECT_FALSE(waits.json().contains("look_here_first"));
}

TEST_P(Lints, ADeadlockOverAForgottenPostBeginsWithIt) {
  const Checked lost = check(with_semaphore(GetParam(),
                                            {"", "SEMPOST sem=MATH_PACK\nSEMINIT max=1, value=0, sem=MATH_PACK",
                                             ".rept 9\nNOP\n.endr\n"
                                             "SEMWAIT block=STALL_SYNC, sem=MATH_PACK, cond=STALL_ON_ZERO\n"
                                             "SEMGET sem=MATH_PACK"},
                                            0, 1));
  EXPECT_EQ(lost.outcome.kind, OutcomeKind::deadlocked);
  const auto causes = report::causes(lost.scenario, lost.outcome);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_NE(causes[0].find("1 post is forgotten, in cycle 4"), std::string::npos) << causes[0];
}

/// One of a semaphore that nobody waits for is no cause.
TEST_P(Lints, ADeadlockOverSomethingElseDoesNotBeginWithALint) {
  const Checked other = check(with_semaphore(
      GetParam(),
      {"SEMGET sem=MATH_PACK", "", "SEMWAIT block=STALL_SYNC, sem=PACK_DONE, cond=STALL_ON_ZERO\nSEMGET sem=PACK_DONE"},
      0, 1));
  EXPECT_EQ(other.outcome.kind, OutcomeKind::deadlocked);
  EXPECT_TRUE(report::causes(other.scenario, other.outcome).empty());
}

/// T1's core writes MopCfg again while its MOP expands: a post is missing, and T2 waits for it.
TEST_P(Lints, ADeadlockBehindARacedMopCfgBeginsWithTheRace) {
  const auto run = [&](bool syncs) {
    Scenario scenario = with_semaphore(GetParam(), {"", "", ""}, 0, 15);
    const Word post = assemble(GetParam(), "SEMPOST sem=MATH_PACK");
    const Word nop = assemble(GetParam(), "NOP");
    scenario.mop_config = {{1, {1, 4, nop, nop, nop, post, nop, post, post}}};
    scenario.actions = {store(10, T1, 0xFFE40000, assemble(GetParam(), "MOP.Template1"))};
    if (syncs) {
      scenario.actions.push_back(store(11, T1, 0xFFE80008, 0));
      scenario.actions.push_back({.cycle = 12, .core = T1, .is_store = false, .address = 0xFFE80008});
    }
    scenario.actions.push_back(store(13, T1, 0xFFB80014, nop));
    scenario.actions.push_back(
        store(14, T1, 0xFFE40000, assemble(GetParam(), "SEMWAIT block=STALL_SYNC, sem=PACK_DONE, cond=STALL_ON_ZERO")));
    scenario.actions.push_back(store(15, T1, 0xFFE40000, assemble(GetParam(), "SEMGET sem=PACK_DONE")));
    return check(scenario);
  };
  const Checked raced = run(false);
  EXPECT_EQ(raced.outcome.kind, OutcomeKind::deadlocked);
  const auto causes = report::causes(raced.scenario, raced.outcome);
  ASSERT_EQ(causes.size(), 1U) << raced.text();
  EXPECT_NE(causes[0].find("MopCfg of T1"), std::string::npos) << causes[0];
  EXPECT_NE(causes[0].find("[rule 21]"), std::string::npos) << causes[0];
  const Checked synced = run(true);
  EXPECT_EQ(synced.outcome.kind, OutcomeKind::deadlocked);
  EXPECT_TRUE(report::causes(synced.scenario, synced.outcome).empty());
}

/// Of configuration: the race is between the thread that is stuck and another.
TEST_P(Lints, ADeadlockOfAThreadWhoseConfigurationIsRacedOnBeginsWithTheRace) {
  const std::string stuck = "SEMWAIT block=STALL_SYNC, sem=PACK_DONE, cond=STALL_ON_ZERO\nSEMGET sem=PACK_DONE";
  const Checked raced = check(three_threads(
      GetParam(), {"RMWCIB0 Mask=3, NewValue=1, Index4=1\n" + stuck, "RMWCIB0 Mask=3, NewValue=2, Index4=1\n", ""}));
  EXPECT_EQ(raced.outcome.kind, OutcomeKind::deadlocked);
  const auto causes = report::causes(raced.scenario, raced.outcome);
  ASSERT_EQ(causes.size(), 1U) << raced.text();
  EXPECT_NE(causes[0].find("RMWCIB0"), std::string::npos) << causes[0];
}

}  // namespace
}  // namespace tensim::test
