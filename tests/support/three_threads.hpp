// For tests of the control plane: three programs as assembly text, run as a scenario, and what came of it. Cycles count
// from 0; a word is pushed per thread and cycle from cycle 0 on, so the first issues in cycle 3.
//
//   const Ran ran = simulate(three_threads(GetParam(), {"SEMPOST sem=MATH_PACK", "", "NOP"}));
//   EXPECT_EQ(ran.cycles(0), (Cycles{3}));
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "event/gate_listener.hpp"
#include "isa/assembler/assemble.hpp"
#include "isa/table.hpp"
#include "scenario/run.hpp"
#include "scenario/scenario.hpp"
#include "tensix/coprocessor.hpp"

namespace tensim::test {

using event::Stall;
using isa::Word;
using scenario::CoreAction;
using scenario::OutcomeKind;
using scenario::Scenario;
using tensix::Coprocessor;
using tensix::Cycle;
using tensix::Report;
using Cycles = std::vector<Cycle>;

struct Issue {
  Cycle cycle = 0;
  Word word = 0;
};

/// A stretch of cycles in which a thread issued nothing.
struct Hold {
  Cycle cycle = 0;
  Cycle count = 0;
  Stall stall = Stall::empty;
  Word word = 0;  // that stood at the gate
};

class Recorder : public event::GateListener {
 public:
  std::array<std::vector<Issue>, tensix::thread_count> issues;
  std::array<std::vector<Hold>, tensix::thread_count> holds;
  void issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t) override {
    issues[thread].push_back({cycle, word});
  }
  void held(std::uint64_t cycle, std::uint64_t count, unsigned thread, Stall stall, std::uint32_t word) override {
    holds[thread].push_back({cycle, count, stall, word});
  }
};

inline Word assemble(Arch arch, std::string_view line) {
  const isa::Assembly assembly = isa::assemble(arch, line, "test");
  if (!assembly.ok() || assembly.words.size() != 1) {
    ADD_FAILURE() << "not one instruction: " << line;
    return 0;
  }
  return assembly.words.front().word;
}

inline Scenario three_threads(Arch arch, const std::array<std::string, tensix::thread_count>& programs) {
  Scenario scenario;
  scenario.arch = arch;
  scenario.budget = 100'000;
  for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
    isa::Assembly assembly = isa::assemble(arch, programs[thread], "T" + std::to_string(thread));
    if (!assembly.ok()) ADD_FAILURE() << to_text(assembly.diagnostics.front());
    scenario.threads[thread].words = std::move(assembly.words);
    scenario.threads[thread].files = std::move(assembly.files);
  }
  return scenario;
}

/// The same program on the thread alone.
inline Scenario one_thread(Arch arch, unsigned thread, const std::string& program) {
  std::array<std::string, tensix::thread_count> programs;
  programs[thread] = program;
  return three_threads(arch, programs);
}

/// `line`, `count` times.
inline std::string repeat(std::size_t count, std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text.append(line).append("\n");
  return text;
}

inline CoreAction store(Cycle cycle, CoreBit core, std::uint32_t address, std::uint32_t value) {
  return {.cycle = cycle, .core = core, .is_store = true, .address = address, .value = value, .checks = false};
}
inline CoreAction load(Cycle cycle, CoreBit core, std::uint32_t address, std::uint32_t expected) {
  return {.cycle = cycle, .core = core, .is_store = false, .address = address, .value = expected, .checks = true};
}

struct Ran {
  scenario::Outcome outcome;
  std::shared_ptr<const Coprocessor> state;  // as the run left it
  std::array<std::vector<Issue>, tensix::thread_count> issues;
  std::array<std::vector<Hold>, tensix::thread_count> holds;

  bool finished() const { return outcome.kind == OutcomeKind::finished; }
  bool deadlocked() const { return outcome.kind == OutcomeKind::deadlocked; }

  /// The cycles in which the thread's words were issued.
  Cycles cycles(unsigned thread) const {
    Cycles found;
    for (const Issue& issue : issues[thread])
      found.push_back(issue.cycle);
    return found;
  }
  /// The cycle of the thread's n-th issue.
  Cycle cycle_of(unsigned thread, std::size_t n) const {
    if (n < issues[thread].size()) return issues[thread][n].cycle;
    ADD_FAILURE() << "T" << thread << " issued only " << issues[thread].size() << " instructions";
    return tensix::never;
  }
  /// The cycle of the n-th issue of an instruction by the thread.
  Cycle cycle_of(unsigned thread, std::string_view instruction, std::size_t n = 0) const {
    const std::uint8_t opcode = isa::find_instruction(state->arch, instruction).front()->opcode;
    for (const Issue& issue : issues[thread])
      if (isa::opcode_of(issue.word) == opcode && n-- == 0) return issue.cycle;
    ADD_FAILURE() << "T" << thread << " did not issue that " << instruction;
    return tensix::never;
  }
  std::vector<Word> words(unsigned thread) const {
    std::vector<Word> found;
    for (const Issue& issue : issues[thread])
      found.push_back(issue.word);
    return found;
  }
  /// How many cycles the thread spent so.
  std::uint64_t held(unsigned thread, Stall stall) const { return outcome.threads[thread].account[stall]; }
  /// Why the thread did not issue in the cycle; `issued` if it did.
  Stall stall_in(unsigned thread, Cycle cycle) const {
    for (const Hold& hold : holds[thread])
      if (cycle >= hold.cycle && cycle < hold.cycle + hold.count) return hold.stall;
    return Stall::issued;
  }
  bool reported(Report::Category category) const {
    for (const Report& report : outcome.reports)
      if (report.category == category) return true;
    return false;
  }
  unsigned value(unsigned semaphore) const { return state->sync.semaphores()[semaphore].value; }
  unsigned max(unsigned semaphore) const { return state->sync.semaphores()[semaphore].max; }
  /// Owner of a mutex, -1 nobody.
  int owner(unsigned mutex) const {
    const std::uint8_t owner = state->sync.mutex_owner[mutex];
    return owner == tensix::SyncUnit::nobody ? -1 : int{owner};
  }
  std::uint32_t gpr(unsigned thread, unsigned index) const { return state->gprs.value[thread][index]; }
};

inline Ran simulate(const Scenario& scenario) {
  Recorder recorder;
  scenario::RunOptions options;
  options.listener = &recorder;
  const auto state = std::make_shared<Coprocessor>(scenario.arch);
  Ran ran;
  ran.outcome = scenario::run(scenario, options, state.get());
  ran.state = state;
  ran.issues = std::move(recorder.issues);
  ran.holds = std::move(recorder.holds);
  return ran;
}

inline Ran simulate(Arch arch, const std::array<std::string, tensix::thread_count>& programs) {
  return simulate(three_threads(arch, programs));
}

/// Cycles of the only thread's issues.
inline Cycles cycles_of(Arch arch, const std::string& program) {
  return simulate(one_thread(arch, 0, program)).cycles(0);
}

/// Suites that hold on both chips: class WaitGate : public BothArchs {}; TENSIM_BOTH_ARCHS(WaitGate);
class BothArchs : public ::testing::TestWithParam<Arch> {
 protected:
  static bool is_wormhole() { return GetParam() == Arch::wormhole; }
  static bool is_blackhole() { return GetParam() == Arch::blackhole; }
};

}  // namespace tensim::test

#define TENSIM_BOTH_ARCHS(suite)                                         \
  INSTANTIATE_TEST_SUITE_P(Archs, suite, ::testing::ValuesIn(all_archs), \
                           [](const auto& instance) { return std::string(name(instance.param)); })
