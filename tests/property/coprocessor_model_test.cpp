// Random programs on two models: the coprocessor, with records and skipped time, and the naive one, which walks every
// cycle. Same issues in the same cycles, same final state. Lock-step and any evaluation order change nothing.
#include <random>

#include <gtest/gtest.h>

#include "event/gate_listener.hpp"
#include "isa/disassemble.hpp"
#include "isa/table.hpp"
#include "tensix/coprocessor.hpp"
#include "tests/model/naive_coprocessor.hpp"

namespace tensim {
namespace {

using namespace isa::literals;
using isa::Word;

class IssueLog : public event::GateListener {
 public:
  std::vector<naive::Issue> issues;
  void issued(std::uint64_t cycle, unsigned thread, std::uint32_t word, std::uint32_t) override {
    issues.push_back({thread, cycle, word});
  }
  void held(std::uint64_t, std::uint64_t, unsigned, event::Stall, std::uint32_t) override {}
};

struct Outcome {
  bool finished = false;
  std::array<bool, 3> stuck{};
  tensix::Cycle cycles = 0;
};

struct RunOptions {
  bool lockstep = false;
  std::array<std::uint8_t, 3> order{0, 1, 2};
};

/// Feeds each thread one word a cycle, as back-pressure permits.
Outcome run(tensix::Coprocessor& coprocessor, const naive::Program& program, const RunOptions& options,
            tensix::Cycle budget, event::Listener& listener) {
  event::Journal journal;
  journal.want(listener.wanted());
  coprocessor.journal = &journal;
  std::array<std::size_t, 3> fed{};
  coprocessor.evaluate_in(options.order);
  for (unsigned i = 0; i < 8; ++i)
    coprocessor.sync.set_semaphore(i, {static_cast<std::uint8_t>(program.semaphores[i].first),
                                       static_cast<std::uint8_t>(program.semaphores[i].second)});
  while (coprocessor.now < budget) {
    coprocessor.step();
    if (coprocessor.fault) break;
    for (unsigned thread = 0; thread < 3; ++thread)
      if (fed[thread] < program.threads[thread].size() && coprocessor.can_push(thread))
        coprocessor.push(thread, program.threads[thread][fed[thread]++], 0);
    if (coprocessor.changed()) continue;
    const tensix::Cycle next = coprocessor.next_event();
    if (next == tensix::never) break;
    if (!options.lockstep && next > coprocessor.now) coprocessor.skip_to(std::min(next, budget));
  }
  journal.hand_on(listener);
  coprocessor.journal = nullptr;
  Outcome outcome{.finished = true, .cycles = coprocessor.now};
  for (unsigned thread = 0; thread < 3; ++thread) {
    outcome.stuck[thread] = fed[thread] < program.threads[thread].size() || !coprocessor.frontends[thread].is_empty();
    outcome.finished = outcome.finished && !outcome.stuck[thread];
  }
  return outcome;
}

class ProgramGenerator {
 public:
  explicit ProgramGenerator(unsigned seed) : random_(seed) {}

  naive::Program program() {
    naive::Program program;
    for (auto& semaphore : program.semaphores)
      semaphore = {pick(4), pick(5)};
    for (auto& thread : program.threads) {
      const unsigned length = pick(60);
      while (thread.size() < length)
        append(thread);
    }
    return program;
  }

 private:
  unsigned pick(unsigned below) { return std::uniform_int_distribution<unsigned>(0, below - 1)(random_); }
  static Word make(std::uint8_t opcode, Word parameters) { return Word{opcode} << 24U | parameters; }
  Word some_semaphores() { return pick(3) == 0 ? pick(256) : 1U << pick(3); }
  Word some_block() { return pick(4) == 0 ? pick(512) : 1U << pick(9); }

  Word simple() {
    static constexpr std::array<unsigned, 6> mutexes{0, 0, 2, 3, 4, 4};
    switch (pick(17)) {
      case 0: return make("NOP"_op, 0);
      case 1: return make("SEMPOST"_op, some_semaphores() << 2U);
      case 2: return make("SEMPOST"_op, some_semaphores() << 2U);
      case 3: return make("SEMGET"_op, some_semaphores() << 2U);
      case 4: return make("SEMINIT"_op, pick(4) << 20U | pick(4) << 16U | some_semaphores() << 2U);
      case 5:
        return make("SEMWAIT"_op, some_block() << 15U | some_semaphores() << 2U | (pick(8) == 0 ? 0 : 1 + pick(3)));
      case 6: return make("STALLWAIT"_op, some_block() << 15U | (pick(3) == 0 ? 0U : 1U << pick(15)));
      case 7: return make("ATGETM"_op, pick(60) == 0 ? 1 + pick(9) * 8 : mutexes[pick(6)]);
      case 8: return make("ATRELM"_op, mutexes[pick(6)]);
      case 9: return make("SETDVALID"_op, pick(4));
      case 10: return make("CLEARDVALID"_op, pick(4) << 22U | (pick(6) == 0 ? pick(4) : 0));
      case 11: return make("SETRWC"_op, pick(4) << 22U | pick(16));
      case 12: return make("INCRWC"_op, pick(16) << 6U);
      case 13: return make("DMANOP"_op, 0);
      case 14: return make("ADDDMAREG"_op, 1U << 23U | pick(64) << 12U | pick(64) << 6U | pick(64));
      case 15: return make("SETC16"_op, 40U << 16U | pick(16));
      default: return pick(2) == 0 ? make("SFPNOP"_op, 0) : make("SFPMOV"_op, pick(8) << 8U | pick(8) << 4U);
    }
  }

  /// One instruction, or a recording of a few and its playback.
  void append(std::vector<Word>& thread) {
    if (pick(25) != 0) {
      thread.push_back(simple());
      return;
    }
    const unsigned count = 1 + pick(5);
    const unsigned index = pick(32);
    const unsigned exec = pick(2);
    thread.push_back(make("REPLAY"_op, index << 14U | count << 4U | exec << 1U | 1U));
    for (unsigned i = 0; i < count; ++i)
      thread.push_back(simple());
    thread.push_back(make("REPLAY"_op, index << 14U | count << 4U));
  }

  std::mt19937 random_;
};

std::string listing(Arch arch, const naive::Program& program) {
  std::string text;
  for (unsigned thread = 0; thread < 3; ++thread) {
    text += "T" + std::to_string(thread) + ":\n";
    for (const Word word : program.threads[thread])
      text += "  " + to_text(isa::decode(arch, word), isa::Syntax::named) + "\n";
  }
  for (const auto& [value, max] : program.semaphores)
    text += std::to_string(value) + "/" + std::to_string(max) + " ";
  return text;
}

class CoprocessorModel : public ::testing::TestWithParam<Arch> {};

TEST_P(CoprocessorModel, AgreesWithTheNaiveModelOnRandomSyncPrograms) {
  const Arch arch = GetParam();
  constexpr tensix::Cycle budget = 20'000;
  unsigned stuck_runs = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const naive::Program program = ProgramGenerator(seed).program();
    const naive::Result expected = naive::run(arch, program, budget);
    tensix::Coprocessor coprocessor(arch);
    IssueLog log;
    const Outcome outcome = run(coprocessor, program, {}, budget, log);
    ASSERT_FALSE(coprocessor.fault.has_value()) << seed;
    for (std::size_t i = 0; i < std::max(log.issues.size(), expected.issues.size()); ++i) {
      const bool both = i < log.issues.size() && i < expected.issues.size();
      ASSERT_TRUE(both && log.issues[i].cycle == expected.issues[i].cycle &&
                  log.issues[i].thread == expected.issues[i].thread && log.issues[i].word == expected.issues[i].word)
          << "seed " << seed << ", issue " << i << ": "
          << (i < log.issues.size()
                  ? "ours T" + std::to_string(log.issues[i].thread) + " at " + std::to_string(log.issues[i].cycle) +
                        " " + to_text(isa::decode(arch, log.issues[i].word), isa::Syntax::named)
                  : "nothing")
          << ", naive "
          << (i < expected.issues.size() ? "T" + std::to_string(expected.issues[i].thread) + " at " +
                                               std::to_string(expected.issues[i].cycle) + " " +
                                               to_text(isa::decode(arch, expected.issues[i].word), isa::Syntax::named)
                                         : "nothing")
          << "\n"
          << listing(arch, program);
    }
    ASSERT_EQ(outcome.finished, expected.finished) << seed;
    ASSERT_EQ(outcome.stuck, expected.stuck) << seed;
    stuck_runs += outcome.finished ? 0 : 1;
    for (unsigned i = 0; i < 8; ++i) {
      ASSERT_EQ(coprocessor.sync.semaphores()[i].value, expected.semaphores[i].first) << seed;
      ASSERT_EQ(coprocessor.sync.semaphores()[i].max, expected.semaphores[i].second) << seed;
      ASSERT_EQ(coprocessor.sync.mutex_owner[i] == tensix::SyncUnit::nobody ? -1 : coprocessor.sync.mutex_owner[i],
                expected.mutex_owner[i])
          << seed;
    }
    for (unsigned file = 0; file < 2; ++file)
      for (unsigned bank = 0; bank < 2; ++bank)
        ASSERT_EQ(coprocessor.src.matrix_owns[file][bank], expected.matrix_owns_bank[file][bank]) << seed;
  }
  // Both kinds of ending must be well represented, or the test says little.
  EXPECT_GT(stuck_runs, 300U);
  EXPECT_LT(stuck_runs, 2900U);
}

TEST_P(CoprocessorModel, LockstepAndEvaluationOrderChangeNothing) {
  const Arch arch = GetParam();
  constexpr tensix::Cycle budget = 20'000;
  for (unsigned seed = 0; seed < 500; ++seed) {
    const naive::Program program = ProgramGenerator(seed ^ 0x5EED).program();
    std::optional<std::vector<naive::Issue>> issues;
    std::array<event::StallAccount, 3> accounts{};
    tensix::Cycle cycles = 0;
    for (const RunOptions& options :
         {RunOptions{}, RunOptions{.lockstep = true}, RunOptions{.order = {2, 1, 0}}, RunOptions{.order = {1, 2, 0}},
          RunOptions{.lockstep = true, .order = {2, 0, 1}}}) {
      tensix::Coprocessor coprocessor(arch);
      IssueLog log;
      const Outcome outcome = run(coprocessor, program, options, budget, log);
      if (!issues) {
        issues = log.issues;
        accounts = coprocessor.accounts;
        cycles = outcome.cycles;
        continue;
      }
      ASSERT_EQ(log.issues.size(), issues->size()) << seed;
      for (std::size_t i = 0; i < issues->size(); ++i)
        ASSERT_EQ(log.issues[i].cycle, (*issues)[i].cycle) << seed;
      ASSERT_EQ(outcome.cycles, cycles) << seed;
      ASSERT_EQ(coprocessor.accounts, accounts) << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BothArchs, CoprocessorModel, ::testing::Values(Arch::wormhole, Arch::blackhole),
                         [](const auto& instance) { return std::string(name(instance.param)); });

}  // namespace
}  // namespace tensim
