// Programs whose result depends on no order, on the timed model and on an interpreter without time under many schedules:
// the same semaphores, mutexes, GPRs and configuration at the end (M32).
#include "tests/model/untimed_interpreter.hpp"
#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class Untimed : public BothArchs {};
TENSIM_BOTH_ARCHS(Untimed);

/// Three programs of rounds that commute:
/// - producer and consumer on a semaphore of their own, with room for one to three;
/// - read-modify-write of a configuration word under the mutex that guards it;
/// - work on own registers;
/// - posts of a semaphore that nobody gets, and gets of one that nobody posts.
class ConfluentPrograms {
 public:
  explicit ConfluentPrograms(unsigned seed) : random_(seed) {
    for (unsigned i = 0; i < 4; ++i)
      maximum_[i] = 1 + pick(3);
    const unsigned rounds = 3 + pick(12);
    for (unsigned i = 0; i < rounds; ++i)
      add_round();
  }

  std::array<std::string, 3> text;

  void initialise(Scenario& scenario) const {
    for (unsigned i = 0; i < 4; ++i)
      scenario.semaphores[i] = {.value = 0, .max = static_cast<std::uint8_t>(maximum_[i])};
    scenario.semaphores[5] = {.value = 15, .max = 15};
  }

 private:
  unsigned pick(unsigned below) { return std::uniform_int_distribution<unsigned>(0, below - 1)(random_); }
  void add(unsigned thread, const std::string& line) { text[thread] += line + "\n"; }

  void add_round() {
    switch (pick(5)) {
      case 0:
      case 1: hand_over(); break;
      case 2: update(pick(3)); break;
      case 3: compute(pick(3)); break;
      default: count(pick(3)); break;
    }
  }

  /// Semaphore i is posted by thread i % 3 and got by another, always the same one: pairs in program order cannot lock
  /// up, because a round is complete before the next begins in either text.
  void hand_over() {
    const unsigned semaphore = pick(4);
    const unsigned producer = semaphore % 3;
    const unsigned consumer = (producer + 1) % 3;
    const std::string mask = std::to_string(1U << semaphore);
    compute(producer);
    add(producer, "ttsemwait 2," + mask + ",2");
    add(producer, "ttsempost " + mask);
    add(consumer, "ttsemwait 2," + mask + ",1");
    add(consumer, "ttsemget " + mask);
    compute(consumer);
  }

  void update(unsigned thread) {
    static constexpr std::array mutexes{"0", "2", "3"};
    const unsigned which = pick(3);
    const std::string word = std::to_string(20 + which);
    add(thread, std::string("ttatgetm ") + mutexes[which]);
    if (pick(4) == 0) add(thread, std::string("ttatgetm ") + mutexes[which]);  // once more: it is its own
    add(thread, "RDCFG ResultReg=8, CfgIndex=" + word);
    add(thread, "ADDDMAREG.Immediate ResultReg=8, LeftReg=8, RightImm6=" + std::to_string(pick(64)));
    add(thread, "DMANOP");  // taken when the sum is there
    add(thread, "WRCFG InputReg=8, CfgIndex=" + word);
    add(thread, "NOP");  // WRCFG's second cycle
    add(thread, std::string("ttatrelm ") + mutexes[which]);
    // What was read depends on the order; it must not stay.
    add(thread, "SETDMAREG.Immediate NewValue=0, ResultHalfReg=16");
    add(thread, "SETDMAREG.Immediate NewValue=0, ResultHalfReg=17");
  }

  void compute(unsigned thread) {
    const std::string reg = std::to_string(20 + pick(8));
    if (pick(2) == 0)
      add(thread, "SETDMAREG.Immediate NewValue=" + std::to_string(pick(1000)) +
                      ", ResultHalfReg=" + std::to_string(40 + pick(16)));
    add(thread,
        "ADDDMAREG.Register ResultReg=" + reg + ", LeftReg=" + reg + ", RightReg=" + std::to_string(20 + pick(8)));
    add(thread, "STALLWAIT block=STALL_THCON, cond=THCON");
  }

  void count(unsigned thread) {
    if (pick(2) == 0)
      add(thread, "ttsempost 16");
    else
      add(thread, "ttsemget 32");
  }

  std::mt19937 random_;
  std::array<unsigned, 4> maximum_{};
};

untimed::State state_of(const Ran& ran) {
  untimed::State state;
  for (unsigned i = 0; i < 8; ++i) {
    state.semaphores[i] = {ran.value(i), ran.max(i)};
    state.mutex_owner[i] = ran.owner(i);
  }
  state.gprs = ran.state->gprs.value;
  for (unsigned word = 20; word < 23; ++word)
    state.config[word] = ran.state->config.bank[0][word];
  return state;
}

TEST_P(Untimed, ConfluentProgramsEndTheSameUnderAnyFairSchedule) {  // M32
  unsigned updates = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const ConfluentPrograms programs(seed);
    Scenario scenario = three_threads(GetParam(), programs.text);
    programs.initialise(scenario);
    const Ran ran = simulate(scenario);
    ASSERT_TRUE(ran.finished()) << seed;
    const untimed::State timed = state_of(ran);
    for (unsigned word = 20; word < 23; ++word)
      updates += timed.config.at(word) != 0 ? 1U : 0U;

    untimed::Programs words;
    untimed::State initial;
    for (unsigned thread = 0; thread < 3; ++thread)
      for (const isa::AssembledWord& word : scenario.threads[thread].words)
        words[thread].push_back(word.word);
    for (const auto& [index, semaphore] : scenario.semaphores)
      initial.semaphores[index] = {semaphore.value, semaphore.max};
    for (unsigned word = 20; word < 23; ++word)
      initial.config[word] = 0;
    std::mt19937 random(seed);
    for (unsigned schedule = 0; schedule < 20; ++schedule) {
      const auto untimed = untimed::run(GetParam(), words, initial, random);
      ASSERT_TRUE(untimed.has_value()) << seed;
      ASSERT_EQ(*untimed, timed) << seed << "\n"
                                 << programs.text[0] << "--\n"
                                 << programs.text[1] << "--\n"
                                 << programs.text[2];
    }
  }
  EXPECT_GT(updates, 100U);  // or the programs say little
}

TEST_P(Untimed, SchedulesDoDiffer) {
  // Without the mutex the result depends on the order, and different schedules find different ones.
  const std::string update =
      "RDCFG ResultReg=8, CfgIndex=20\nADDDMAREG.Immediate ResultReg=8, LeftReg=8, RightImm6=1\n"
      "DMANOP\nWRCFG InputReg=8, CfgIndex=20\n";
  const Scenario scenario = three_threads(GetParam(), {update + update, update + update, ""});
  untimed::Programs words;
  for (unsigned thread = 0; thread < 3; ++thread)
    for (const isa::AssembledWord& word : scenario.threads[thread].words)
      words[thread].push_back(word.word);
  std::mt19937 random(1);
  std::map<std::uint32_t, unsigned> results;
  for (unsigned schedule = 0; schedule < 200; ++schedule)
    ++results[untimed::run(GetParam(), words, {}, random)->config.at(20)];
  EXPECT_GE(results.size(), 2U);
  EXPECT_TRUE(results.contains(4));
}

}  // namespace
}  // namespace tensim::test
