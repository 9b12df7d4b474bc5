// Cycles of a run of vector instructions against the same cycles without that shortcut: a journal, in which every
// thread is noted, keeps the coprocessor from taking it.
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

class VectorRun : public BothArchs {};
TENSIM_BOTH_ARCHS(VectorRun);

std::string vector_instruction(std::mt19937& random) {
  const auto lreg = [&] { return std::to_string(random() % 8); };
  const auto row = [&] { return std::to_string(random() % 16 * 2); };
  switch (random() % 12) {
    case 0: return "SFPLOAD Mod0=3, VD=" + lreg() + ", Imm10=" + row();
    case 1: return "SFPLOAD Mod0=2, VD=" + lreg() + ", Imm10=" + row();
    case 2: return "SFPSTORE Mod0=" + std::to_string(2 + random() % 2) + ", VD=" + lreg() + ", Imm10=" + row();
    case 3: return "SFPLOAD Mod0=0, VD=" + lreg() + ", Imm10=" + row();
    case 4: return "SFPNOP";
    case 5: return "SFPSWAP VC=" + lreg() + ", Mod1=1, VD=" + lreg();
    case 6: return "SFPMOV VC=" + lreg() + ", VD=" + lreg();
    case 7: return "SFPENCC Imm2=3, Mod1=" + std::to_string(random() % 2 * 10);
    default: return "SFPMAD VA=" + lreg() + ", VB=" + lreg() + ", VC=" + lreg() + ", VD=" + lreg();
  }
}

/// What other threads may be about, or the same one between its vector instructions.
std::string other_instruction(std::mt19937& random) {
  const char* const choices[]{"NOP",
                              "SEMPOST sem=1",
                              "SEMGET sem=1",
                              "SEMWAIT block=STALL_SYNC, sem=1, cond=STALL_ON_ZERO",
                              "ttstallwait 2, 4096",
                              "SETDMAREG 0, 0, 0, 1",
                              "INCRWC"};
  return choices[random() % std::size(choices)];
}

Word word_of(Arch arch, const std::string& text) {
  const isa::Assembly assembly = isa::assemble(arch, text, "test");
  return assembly.ok() ? assembly.words.front().word : 0x02000000;  // NOP
}

std::vector<Word> in_flight_words(const Coprocessor& coprocessor) {
  std::vector<Word> words;
  coprocessor.in_flight.for_each([&](const tensix::Record& record) { words.push_back(record.word); });
  return words;
}

TEST_P(VectorRun, ItsCyclesAreAsWithoutTheShortcut) {
  constexpr unsigned programs = 40;
  constexpr unsigned cycles = 400;
  constexpr unsigned thread = 1;
  std::mt19937 random{3};
  unsigned cycles_in_runs = 0;
  for (unsigned program = 0; program < programs; ++program) {
    const auto quick = std::make_unique<Coprocessor>(GetParam());
    for (unsigned lreg = 0; lreg < tensix::general_lregs; ++lreg)
      for (std::uint32_t& x : quick->vector.registers.lreg[lreg].lane)
        x = (static_cast<std::uint32_t>(random()) & 0x80FF'FFFFU) + 0x3F00'0000U;
    const auto slow = std::make_unique<Coprocessor>(*quick);
    event::Journal journal;
    slow->journal = &journal;
    const unsigned rarity = 1 + program % 50;
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      const auto push = [&](unsigned to, const std::string& text) {
        const Word word = word_of(GetParam(), text);
        if (!quick->can_push(to)) return;
        quick->push(to, word, cycle);
        slow->push(to, word, cycle);
      };
      if (random() % rarity == 0) push(static_cast<unsigned>(random() % 3), other_instruction(random));
      if (program % 3 != 0 || random() % 4 != 0) push(thread, vector_instruction(random));
      ASSERT_EQ(quick->can_push(thread), slow->can_push(thread));
      cycles_in_runs += quick->in_vector_run() ? 1U : 0U;
      quick->step();
      slow->step();
      ASSERT_EQ(quick->now, slow->now) << program << " " << cycle;
      ASSERT_EQ(quick->changed(), slow->changed()) << program << " " << cycle;
      ASSERT_EQ(in_flight_words(*quick), in_flight_words(*slow)) << program << " " << cycle;
      for (unsigned each = 0; each < 3; ++each) {
        ASSERT_EQ(quick->gates.held[each].stall, slow->gates.held[each].stall)
            << program << " " << cycle << " T" << each;
        ASSERT_EQ(quick->frontends[each].words_held(), slow->frontends[each].words_held());
        ASSERT_EQ(quick->thread_is_idle(each), slow->thread_is_idle(each));
        ASSERT_TRUE(quick->accounts[each] == slow->accounts[each]);
      }
      ASSERT_EQ(quick->vector.registers.lreg, slow->vector.registers.lreg) << program << " " << cycle;
      ASSERT_EQ(quick->next_event(), slow->next_event());
    }
    ASSERT_EQ(quick->dst, slow->dst);
    ASSERT_EQ(quick->reports.size(), slow->reports.size());
  }
  EXPECT_GT(cycles_in_runs, programs * cycles / 10);  // the shortcut is taken
}

}  // namespace
}  // namespace tensim::test
