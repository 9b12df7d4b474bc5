// A STALLWAIT more brings no race more: random programs of three threads, checked, and again with a wait added somewhere. What
// is written has its value already, so that no program does anything else because of the order of things.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "arch/config_registers.hpp"
#include "insight/tile_races.hpp"
#include "isa/disassemble.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using namespace tensim::literals;
using insight::Race;

// ---- state ----

struct Setting {
  const ConfigField* field;
  std::uint32_t value;
};
/// Unpackers read 0x20000 and 0x22000, packers write 0x22000: BF16, not compressed.
constexpr std::array settings{
    Setting{&"THCON_SEC0_REG0_TileDescriptor"_config, 0x01000015},
    Setting{&"THCON_SEC0_REG2_Out_data_format"_config, 5},
    Setting{&"THCON_SEC0_REG3_Base_address"_config, 0x1FFF},
    Setting{&"THCON_SEC1_REG0_TileDescriptor"_config, 0x01000015},
    Setting{&"THCON_SEC1_REG2_Out_data_format"_config, 5},
    Setting{&"THCON_SEC1_REG3_Base_address"_config, 0x21FF},
    Setting{&"THCON_SEC0_REG1_Out_data_format"_config, 5},
    Setting{&"THCON_SEC0_REG1_In_data_format"_config, 5},
    Setting{&"THCON_SEC0_REG1_L1_Dest_addr"_config, 0x21FF},
    Setting{&"THCON_SEC0_REG1_Disable_zero_compress"_config, 1},
    Setting{&"PCK_EDGE_OFFSET_SEC0_mask"_config, 0xFFFF},
    Setting{&"PCK0_ADDR_CTRL_XY_REG_0_Xstride"_config, 2},
};
/// Words that programs write: of packers, of unpackers, of the Matrix Unit.
constexpr std::array written{
    &"THCON_SEC0_REG1_L1_Dest_addr"_config,    &"THCON_SEC0_REG1_Pack_L1_Acc"_config,
    &"PCK0_ADDR_CTRL_XY_REG_0_Xstride"_config, &"PCK_EDGE_OFFSET_SEC0_mask"_config,
    &"THCON_SEC0_REG2_Out_data_format"_config, &"THCON_SEC0_REG3_Base_address"_config,
    &"THCON_SEC1_REG0_TileDescriptor"_config,  &"ALU_FORMAT_SPEC_REG0_SrcA"_config,
};
constexpr unsigned gpr_of_first_word = 8;  // GPRs that hold what these words hold
constexpr unsigned zero_gpr = gpr_of_first_word + written.size() - 1;
constexpr unsigned address_gpr = 4;  // of a zero in L1

std::uint32_t initial_word(Arch arch, int word) {
  std::uint32_t value = 0;
  for (const Setting& setting : settings)
    if (setting.field->on(arch).word == word) value |= setting.value << setting.field->on(arch).shift;
  return value;
}

// ---- programs ----

using Texts = std::vector<std::string>;
struct Program {
  std::array<Texts, 3> threads;
  std::map<unsigned, scenario::SemaphoreState> semaphores;
};

class Generator {
 public:
  Generator(Arch arch, unsigned seed) : arch_(arch), random_(seed * 2 + (arch == Arch::blackhole ? 1 : 0)) {}

  Program program() {
    filler_ = pick(3);
    user_ = pick(3);
    std::array<std::vector<Texts>, 3> groups;
    const unsigned most = 2 + pick(8);
    for (unsigned thread = 0; thread < 3; ++thread)
      for (unsigned i = pick(most); i != 0; --i)
        groups[thread].push_back({simple(thread)});
    add_banks(groups);
    Program program;
    for (unsigned semaphore = pick(3); semaphore != 0; --semaphore)
      program.semaphores[semaphore] = add_semaphore(groups, semaphore);
    for (unsigned thread = 0; thread < 3; ++thread) {
      program.threads[thread] = {"SETADCXX U0=1, U1=1, X1Val=255, X0Val=0", "SETADCXX PK=1, X1Val=15, X0Val=0"};
      shuffle(groups[thread]);
      for (const Texts& group : groups[thread])
        program.threads[thread].insert(program.threads[thread].end(), group.begin(), group.end());
    }
    return program;
  }

  std::string stall_wait() {
    const unsigned condition = pick(3) == 0 ? pick(1U << conditions()) : 1U << pick(conditions());
    return fmt::format("STALLWAIT block={}, cond={}", block(), condition);
  }
  unsigned pick(unsigned below) { return static_cast<unsigned>(random_() % below); }

 private:
  unsigned conditions() const { return on(arch_, 15U, 13U); }
  unsigned block() { return pick(2) == 0 ? 1 + pick(0x1FF) : 1U << pick(9); }
  template <class Values>
  void shuffle(Values& values) {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[pick(static_cast<unsigned>(i))]);
  }

  std::string simple(unsigned thread) {
    switch (pick(5)) {
      case 0: return with_data(thread);
      case 1: return of_vector_unit();
      case 2: return of_gprs();
      case 3: return of_configuration();
      default: return pick(2) == 0 ? stall_wait() : "NOP";
    }
  }
  /// Which bank of Src it is depends on who comes first: so one thread alone unpacks, and one uses Src.
  std::string with_data(unsigned thread) {
    const unsigned kind = pick(4);
    if (kind == 0) return "PACR Last=1";
    if (kind == 1 && thread == filler_) return fmt::format("UNPACR.Regular WhichUnpacker={}", pick(2));
    if (kind == 2 && thread == user_) return fmt::format("MOVD2{} Move4Rows=1", pick(2) == 0 ? "A" : "B");
    return fmt::format("ZEROACC Mode=CLR_SPECIFIC, Imm10={}", pick(2));
  }
  std::string of_vector_unit() {
    switch (pick(3)) {
      case 0: return fmt::format("SFPLOAD VD=L{}, Imm10={}", pick(2), pick(2) * 16);
      case 1: return fmt::format("SFPSTORE VD=L{}, Imm10={}", pick(2), pick(2) * 16);
      default: return fmt::format("SFPMAD VA=L{}, VB=L{}, VC=L9, VD=L{}", pick(2), pick(2), pick(2));
    }
  }
  std::string of_gprs() {
    const unsigned number = pick(written.size());
    const auto word = written[number]->on(arch_).word;
    const unsigned reg = gpr_of_first_word + number;
    const unsigned upper = pick(2);
    switch (pick(4)) {
      case 0: return fmt::format("WRCFG InputReg={}, CfgIndex={}", reg, word);
      case 1: return fmt::format("RDCFG ResultReg={}, CfgIndex={}", reg, word);
      case 2:
        return fmt::format("SETDMAREG.Immediate ResultHalfReg={}, NewValue={}", reg * 2 + upper,
                           initial_word(arch_, word) >> 16 * upper & 0xFFFFU);
      default: return fmt::format("LOADIND OffsetHalfReg=0, AddrReg={}, ResultReg={}", address_gpr, zero_gpr);
    }
  }
  std::string of_configuration() {
    if (pick(4) == 0) return fmt::format("SETC16 CfgIndex={}, NewValue=0", 1 + pick(2) * 11);
    const auto word = written[pick(written.size())]->on(arch_).word;
    const unsigned byte = pick(4);
    const unsigned mask = pick(256);
    return fmt::format("RMWCIB{} Mask={}, NewValue={}, Index4={}", byte, mask,
                       initial_word(arch_, word) >> 8 * byte & mask, word);
  }

  /// One thread fills banks and one uses them: as many as there are.
  void add_banks(std::array<std::vector<Texts>, 3>& groups) {
    auto& fills = groups[filler_];
    auto& uses = groups[user_];
    for (unsigned i = pick(4); i != 0; --i) {
      fills.push_back({"UNPACR.Regular WhichUnpacker=0, FlipSrc=1"});
      fills.push_back({"UNPACR.Regular WhichUnpacker=1, FlipSrc=1"});
      Texts use;
      if (pick(2) == 0) use.push_back(fmt::format("MVMUL DstRow={}", pick(3) * 8));
      if (pick(2) == 0) use.push_back(stall_wait());
      use.push_back(fmt::format("ELWADD DstRow={}, FlipSrcA=1, FlipSrcB=1", pick(3) * 8));
      uses.push_back(use);
    }
  }

  /// One thread posts and another gets.
  scenario::SemaphoreState add_semaphore(std::array<std::vector<Texts>, 3>& groups, unsigned semaphore) {
    const unsigned poster = pick(3);
    const unsigned getter = (poster + 1 + pick(2)) % 3;
    for (unsigned i = 1 + pick(3); i != 0; --i) {
      Texts post;
      if (pick(2) == 0) post.push_back(wait_for(semaphore, pick(2) == 0 ? 2 : block(), "STALL_ON_MAX"));
      if (pick(2) == 0) post.push_back(stall_wait());
      post.push_back(fmt::format("SEMPOST sem={}", 1U << semaphore));
      groups[poster].push_back(post);
      Texts get;
      if (pick(3) == 0) get = {wait_for(semaphore, block(), "STALL_ON_ZERO"), simple(getter)};
      get.push_back(wait_for(semaphore, 2 | block(), "STALL_ON_ZERO"));
      if (pick(2) == 0) get.push_back(simple(getter));
      if (pick(2) == 0) get.push_back(stall_wait());
      get.push_back(fmt::format("SEMGET sem={}", 1U << semaphore));
      groups[getter].push_back(get);
    }
    return {0, static_cast<std::uint8_t>(1 + pick(3))};
  }
  static std::string wait_for(unsigned semaphore, unsigned block, std::string_view condition) {
    return fmt::format("SEMWAIT block={}, sem={}, cond={}", block, 1U << semaphore, condition);
  }

  Arch arch_;
  std::mt19937 random_;
  unsigned filler_ = 0;
  unsigned user_ = 0;
};

// ---- runs ----

/// The two places, as they are in the first program, and what they share.
struct Place {
  unsigned thread;
  unsigned index;
  auto operator<=>(const Place&) const = default;
};
struct State {
  event::Resource resource;
  unsigned owner;
  auto operator<=>(const State&) const = default;
};
using Pair = std::tuple<Place, Place, State>;

struct Added {
  Place at{};
  std::string text = {};
};

scenario::Scenario scenario_of(Arch arch, const Program& program) {
  scenario::Scenario scenario;
  scenario.arch = arch;
  scenario.budget = 20'000;
  for (unsigned thread = 0; thread < 3; ++thread) {
    std::string text;
    for (const std::string& line : program.threads[thread])
      text += line + "\n";
    isa::Assembly assembly = isa::assemble(arch, text, "program");
    EXPECT_TRUE(assembly.ok()) << (assembly.diagnostics.empty() ? "" : assembly.diagnostics.front().message) << "\n"
                               << text;
    scenario.threads[thread].words = std::move(assembly.words);
    scenario.gprs[{thread, address_gpr}] = 0x20000 / 16;
    for (unsigned i = 0; i < written.size(); ++i)
      scenario.gprs[{thread, gpr_of_first_word + i}] = initial_word(arch, written[i]->on(arch).word);
  }
  for (const auto& [semaphore, state] : program.semaphores)
    scenario.semaphores[semaphore] = state;
  for (const Setting& setting : settings)
    scenario.config.emplace_back(setting.field, setting.value);
  scenario.memory.push_back({0x20000, std::vector<std::uint8_t>(0x4000, 0)});
  return scenario;
}

/// Nothing if it did not end.
std::optional<std::set<Pair>> pairs_of(Arch arch, const Program& program, const Added* added) {
  const scenario::Scenario scenario = scenario_of(arch, program);
  scenario::RunOptions options;
  options.races.emplace();
  for (insight::RuleNumber rule = 0; rule < insight::order_rules().size(); ++rule)
    if (insight::order_rules()[rule].kind == insight::RuleKind::lacks)
      options.races->set(rule, insight::Severity::error);
  const scenario::TileRun ran = scenario::run_tile(scenario, options);
  if (ran.outcome.kind != OutcomeKind::finished) return std::nullopt;
  const insight::Races& races = *ran.outcome.races;
  const auto place_of = [&](insight::SiteNumber number) {
    const insight::Site& site = races[number];
    Place place{site.actor - tile::core_count, site.origin};
    if (added != nullptr && place.thread == added->at.thread && place.index > added->at.index) --place.index;
    return place;
  };
  std::set<Pair> pairs;
  for (const Race& race : races.found()) {
    const Place first = place_of(race.first);
    const Place second = place_of(race.second);
    pairs.insert({std::min(first, second), std::max(first, second), State{race.what.resource, race.what.owner}});
  }
  return pairs;
}

std::string listing(const Program& program) {
  std::string text;
  for (unsigned thread = 0; thread < 3; ++thread)
    for (unsigned i = 0; i < program.threads[thread].size(); ++i)
      text += fmt::format("T{}.{}: {}\n", thread, i, program.threads[thread][i]);
  for (const auto& [semaphore, state] : program.semaphores)
    text += fmt::format("semaphore {}: {}/{}\n", semaphore, state.value, state.max);
  return text;
}

std::string text_of(const Pair& pair) {
  const auto& [first, second, state] = pair;
  return fmt::format("T{}.{} and T{}.{} in {}", first.thread, first.index, second.thread, second.index,
                     name(state.resource));
}

/// A write hides those before it from those behind it: whoever races with one of them races with it, or it does
/// (insight/shadow.hpp). Which of them came first is the run's business; so some pair must have been there.
bool may_have_been_hidden(const std::set<Pair>& pairs, const Pair& pair) {
  return std::ranges::any_of(pairs, [&](const Pair& other) { return std::get<State>(other) == std::get<State>(pair); });
}

enum class Verdict : std::uint8_t { no_end, nothing_new, fewer, new_pair };

/// What the wait brings.
Verdict verdict(Arch arch, Program program, const Added& added, std::string& what) {
  const auto before = pairs_of(arch, program, nullptr);
  auto& lines = program.threads[added.at.thread];
  lines.insert(lines.begin() + added.at.index, added.text);
  const auto after = before ? pairs_of(arch, program, &added) : std::nullopt;
  if (!after) return Verdict::no_end;
  for (const Pair& pair : *after)
    if (!before->contains(pair) && !may_have_been_hidden(*before, pair)) {
      what = text_of(pair);
      return Verdict::new_pair;
    }
  return after->size() < before->size() ? Verdict::fewer : Verdict::nothing_new;
}

/// The least program that shows the same.
void shrink(Arch arch, Program& program, Added& added, std::string& what) {
  for (unsigned thread = 0; thread < 3; ++thread)
    for (unsigned i = 0; i < program.threads[thread].size();) {
      Program less = program;
      Added there = added;
      less.threads[thread].erase(less.threads[thread].begin() + i);
      if (thread == added.at.thread && i < added.at.index) --there.at.index;
      if (std::string text; verdict(arch, less, there, text) == Verdict::new_pair) {
        program = less;
        added = there;
        what = text;
        thread = i = 0;
      } else {
        ++i;
      }
    }
}

class RaceStallwait : public BothArchs {};
TENSIM_BOTH_ARCHS(RaceStallwait);

TEST_P(RaceStallwait, OneMoreBringsNoNewPair) {
  unsigned done = 0;
  unsigned fewer = 0;
  for_each_seed(300, [&](unsigned seed) {
    Generator generator(GetParam(), seed);
    Program program = generator.program();
    const unsigned thread = generator.pick(3);
    const auto places = static_cast<unsigned>(program.threads[thread].size()) + 1;
    Added added{{thread, generator.pick(places)}, generator.stall_wait()};
    std::string what;
    const Verdict found = verdict(GetParam(), program, added, what);
    if (found != Verdict::no_end) ++done;
    if (found == Verdict::fewer) ++fewer;
    if (found != Verdict::new_pair) return;
    shrink(GetParam(), program, added, what);
    ADD_FAILURE() << fmt::format("{} is new with {} before T{}.{}\n{}", what, added.text, added.at.thread,
                                 added.at.index, listing(program));
  });
  RecordProperty("done", static_cast<int>(done));
  RecordProperty("fewer", static_cast<int>(fewer));
  if (seeds_are_chosen()) return;
  EXPECT_GT(done, 100U);
  EXPECT_GT(fewer, 3U);
}

}  // namespace
}  // namespace tensim::test
