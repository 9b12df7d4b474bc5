// MOP Expander: the two templates, word by word, and what they cost (C4-C6, C8). The expected words come from a direct
// transcription of the loops, with the cases the hardware is known for spelled out.
#include "tensix/frontend/mop_expander.hpp"

#include "tests/support/three_threads.hpp"

namespace tensim::test {
namespace {

using tensix::Entry;
using tensix::MopExpander;

// Recognisable words: SETDMAREG with the role in its parameters. A NOP is opcode 0x02 only.
constexpr Word word(Word role) {
  return 0x45000000U | role;
}
constexpr Word nop = 0x02000000U;
constexpr Word dmanop = 0x60000000U;
constexpr Word b = word(2), a0 = word(3), a1 = word(4), a2 = word(5), a3 = word(6), skip_a0 = word(7), skip_b = word(8);
constexpr Word start = word(12), end0 = word(13), end1 = word(14), loop0 = word(15), loop1 = word(16), last0 = word(17),
               last1 = word(18);

constexpr Word template0(Word count1, Word mask_low) {
  return 0x01000000U | count1 << 16U | mask_low;
}
constexpr Word template1 = 0x01800000U;

/// The words of an expansion. A cycle that emits nothing is a failure unless it is the only one.
std::vector<Word> expand(MopExpander& expander, Arch arch, Word mop) {
  std::vector<Word> words;
  expander.start(arch, Entry::pushed(mop, 5));
  unsigned steps = 0;
  do {
    const auto entry = expander.next();
    ++steps;
    if (!entry) continue;
    EXPECT_EQ(entry->origin(), 5U);
    EXPECT_FALSE(entry->holds_credit());
    words.push_back(entry->word);
  } while (expander.is_expanding() && steps < 100'000);
  EXPECT_EQ(steps, std::max<std::size_t>(words.size(), 1)) << "control flow is free (timing 2.1)";
  return words;
}

std::vector<Word> expand(Arch arch, const std::array<Word, 9>& config, Word mop) {
  MopExpander expander;
  expander.config = config;
  return expand(expander, arch, mop);
}

class MopExpanderTest : public BothArchs {};
TENSIM_BOTH_ARCHS(MopExpanderTest);

TEST_P(MopExpanderTest, Template0WalksItsMask) {  // C4
  const auto config = [](Word flags) { return std::array<Word, 9>{0, flags, b, a0, a1, a2, a3, skip_a0, skip_b}; };
  using Words = std::vector<Word>;
  // Four passes, mask 0b0010: the second is skipped.
  const Word mop = template0(3, 0b0010);
  EXPECT_EQ(expand(GetParam(), config(0), mop), (Words{a0, skip_a0, a0, a0}));
  EXPECT_EQ(expand(GetParam(), config(1), mop), (Words{a0, b, skip_a0, skip_b, a0, b, a0, b}));
  EXPECT_EQ(expand(GetParam(), config(2), mop), (Words{a0, a1, a2, a3, skip_a0, a0, a1, a2, a3, a0, a1, a2, a3}));
  EXPECT_EQ(expand(GetParam(), config(3), mop),
            (Words{a0, a1, a2, a3, b, skip_a0, skip_b, a0, a1, a2, a3, b, a0, a1, a2, a3, b}));
  // Count1 is the number of passes minus one: 0 is one pass, 127 is 128.
  EXPECT_EQ(expand(GetParam(), config(0), template0(0, 1)), (Words{skip_a0}));
  EXPECT_EQ(expand(GetParam(), config(0), template0(127, 0)).size(), 128U);
  // NOPs are emitted like any word; other flag bits mean nothing.
  EXPECT_EQ(expand(GetParam(), {0, 0xFC, nop, nop, a1, a2, a3, skip_a0, skip_b}, template0(1, 0)), (Words{nop, nop}));
}

TEST_P(MopExpanderTest, MopCfgSuppliesTheUpperHalfOfTheMask) {  // C6
  MopExpander expander;
  expander.config = {0, 0, b, a0, a1, a2, a3, skip_a0, skip_b};
  const auto skipped = [&](Word mop) {
    std::vector<unsigned> passes;
    const std::vector<Word> words = expand(expander, GetParam(), mop);
    for (unsigned i = 0; i < words.size(); ++i)
      if (words[i] == skip_a0) passes.push_back(i);
    return passes;
  };
  EXPECT_EQ(skipped(template0(40, 0x8001)), (std::vector<unsigned>{0, 15}));
  expander.set_mask_high(0x03FF8003U);  // MOP_CFG: only its low 16 bits
  EXPECT_EQ(skipped(template0(40, 0x8001)), (std::vector<unsigned>{0, 15, 16, 17, 31}));
  EXPECT_EQ(skipped(template0(40, 0)), (std::vector<unsigned>{16, 17, 31}));  // it stays; passes 32 to 40 see zeros
}

/// The document's loops, as they are written there in words.
std::vector<Word> transcribed(const std::array<Word, 9>& config) {
  const auto is_nop = [](Word w) { return w >> 24U == 0x02; };
  std::vector<Word> words;
  unsigned outer = config[0] & 127U;
  unsigned inner = config[1] & 127U;
  const bool alternates = !is_nop(config[6]);
  if (alternates) inner *= 2;
  if (outer == 1 && is_nop(config[2]) && inner == 0 && !is_nop(config[3])) outer += 128;
  for (unsigned j = 0; j < outer; ++j) {
    if (!is_nop(config[2])) words.push_back(config[2]);
    for (unsigned i = 0; i < inner; ++i) {
      if (i + 1 == inner)
        words.push_back(j + 1 == outer ? config[7] : config[8]);
      else
        words.push_back(alternates && i % 2 == 1 ? config[6] : config[5]);
    }
    if (is_nop(config[3])) continue;
    words.push_back(config[3]);
    if (!is_nop(config[4])) words.push_back(config[4]);
  }
  return words;
}

TEST_P(MopExpanderTest, Template1IsADoubleLoop) {  // C5
  using Words = std::vector<Word>;
  // Two outer passes of two inner: the last inner pass is overridden, the very last one differently.
  EXPECT_EQ(expand(GetParam(), {2, 2, start, end0, end1, loop0, nop, last0, last1}, template1),
            (Words{start, loop0, last1, end0, end1, start, loop0, last0, end0, end1}));
  // A second loop word alternates with the first, and the inner loop runs twice as long.
  EXPECT_EQ(expand(GetParam(), {1, 2, start, nop, end1, loop0, loop1, last0, last1}, template1),
            (Words{start, loop0, loop1, loop0, last0}));  // EndOp1 only comes behind an EndOp0
  // The hardware bug: one outer pass of nothing but EndOp0 becomes 129.
  EXPECT_EQ(expand(GetParam(), {1, 0, nop, end0, nop, loop0, nop, last0, last1}, template1), Words(129, end0));
  EXPECT_EQ(expand(GetParam(), {1, 0, start, end0, nop, loop0, nop, last0, last1}, template1), (Words{start, end0}));
  EXPECT_EQ(expand(GetParam(), {2, 0, nop, end0, nop, loop0, nop, last0, last1}, template1), (Words{end0, end0}));
  // Only opcode 0x02 is a NOP there: DMANOP is emitted, and does not trigger the bug as StartOp.
  EXPECT_EQ(expand(GetParam(), {1, 0, dmanop, end0, nop, loop0, nop, last0, last1}, template1), (Words{dmanop, end0}));
  // Counts are seven bits; an outer count of 0 expands to nothing.
  EXPECT_EQ(expand(GetParam(), {0x83, 0x81, nop, nop, nop, loop0, nop, last0, last1}, template1),
            (Words{last1, last1, last0}));
  EXPECT_EQ(expand(GetParam(), {0, 5, start, end0, end1, loop0, loop1, last0, last1}, template1), Words{});
  // The bound of Wormhole (errata 9): 127 * (1 + 2*127 + 2) = 32639 words.
  EXPECT_EQ(expand(GetParam(), {127, 127, start, end0, end1, loop0, loop1, last0, last1}, template1).size(), 32639U);
}

TEST_P(MopExpanderTest, Template1AgreesWithTheLoopsForEveryChoiceOfNops) {
  for (unsigned nops = 0; nops < 32; ++nops)
    for (const Word outer : {0U, 1U, 2U, 3U})
      for (const Word inner : {0U, 1U, 2U, 3U}) {
        const auto or_nop = [&](unsigned bit, Word role) { return (nops >> bit & 1U) != 0 ? nop : role; };
        const std::array<Word, 9> config{
            outer, inner, or_nop(0, start), or_nop(1, end0), or_nop(2, end1), or_nop(3, loop0), or_nop(4, loop1),
            last0, last1};
        EXPECT_EQ(expand(GetParam(), config, template1), transcribed(config)) << nops << " " << outer << " " << inner;
      }
}

TEST(MopExpanderTestBlackhole, CountsInTheWordOverrideTheConfiguredOnes) {
  // Errata 9, from the vendor's list alone: outer count in 19:16 and 15:10, inner count in 9:0, each if not zero.
  const std::array<Word, 9> config{2, 2, nop, nop, nop, loop0, nop, last0, last1};
  EXPECT_EQ(expand(Arch::blackhole, config, template1 | 3U).size(), 6U);                       // inner 3
  EXPECT_EQ(expand(Arch::blackhole, config, template1 | 5U << 10U).size(), 10U);               // outer 5
  EXPECT_EQ(expand(Arch::blackhole, config, template1 | 1U << 16U | 1U << 10U).size(), 130U);  // outer 65
  EXPECT_EQ(expand(Arch::wormhole, config, template1 | 1U << 16U | 1U << 10U | 3U).size(), 4U);
  Scenario scenario = one_thread(Arch::blackhole, 0, "MOP.Template1 InnerCount=3");
  scenario.mop_config = {{0, {1, 1, nop, nop, nop, nop, nop, nop, nop}}};
  EXPECT_TRUE(simulate(scenario).reported(Report::Category::inline_mop_count));
}

// ---- In the frontend ----

/// T0's issues with template 1 set up as `inner` NOP-free single words.
Cycles cycles_with_mop(Arch arch, Word inner, const std::string& program) {
  Scenario scenario = one_thread(arch, 0, program);
  const Word sfpnop = 0x8F000000U;
  scenario.mop_config = {{0, {1, inner, nop, nop, nop, sfpnop, nop, sfpnop, sfpnop}}};
  return simulate(scenario).cycles(0);
}

TEST_P(MopExpanderTest, EmitsOneWordACycleAndPaysOneCycleUnlessAMopFollows) {  // C8
  // MOP pushed 0, taken in 1 with its first word: three words issue in 3, 4, 5, as three plain ones would.
  EXPECT_EQ(cycles_with_mop(GetParam(), 3, "MOP.Template1"), (Cycles{3, 4, 5}));
  // A NOP behind it: taken in 1, 2, 3 emit; 4 is dead; NOP leaves the expander in 5 and issues in 7.
  EXPECT_EQ(cycles_with_mop(GetParam(), 3, "MOP.Template1\nNOP\nNOP"), (Cycles{3, 4, 5, 7, 8}));
  // MOP behind MOP: no dead cycle between them, one behind the last.
  EXPECT_EQ(cycles_with_mop(GetParam(), 3, "MOP.Template1\nMOP.Template1\nNOP"), (Cycles{3, 4, 5, 6, 7, 8, 10}));
  EXPECT_EQ(cycles_with_mop(GetParam(), 1, "MOP.Template1\nMOP.Template1\nMOP.Template1"), (Cycles{3, 4, 5}));
  // Before a MOP nothing is lost. MOP_CFG takes a cycle and emits nothing.
  EXPECT_EQ(cycles_with_mop(GetParam(), 2, "NOP\nMOP.Template1"), (Cycles{3, 4, 5}));
  EXPECT_EQ(cycles_with_mop(GetParam(), 2, "NOP\nMOP_CFG\nNOP"), (Cycles{3, 5}));
  // An expansion of nothing takes its one cycle.
  Scenario nothing = one_thread(GetParam(), 0, "NOP\nMOP.Template1\nMOP.Template1\nNOP");
  nothing.mop_config = {{0, {0, 5, nop, nop, nop, nop, nop, nop, nop}}};
  EXPECT_EQ(simulate(nothing).cycles(0), (Cycles{3, 7}));  // 1: NOP; 2, 3: MOPs; 4 dead; 5: NOP
}

}  // namespace
}  // namespace tensim::test
