#include "tensix/frontend/mop_expander.hpp"

#include "isa/table.hpp"
#include "tensix/frontend/words.hpp"

namespace tensim::tensix {
namespace {

using namespace isa::literals;

/// Counts in the word of a MOP, which go before the configured ones.
constexpr bool mop_may_have_counts(Arch arch) {
  return on(arch, false, true);
}

constexpr bool is_nop(Word word) {
  return isa::opcode_of(word) == "NOP"_op;
}  // not DMANOP, not SFPNOP

constexpr std::uint32_t count_mask = (1U << size_of_both("mop_count_bits"_size)) - 1;  // of MopCfg's counts

}  // namespace

void MopExpander::set_mask_high(Word mop_cfg) {
  mask_high_ = static_cast<std::uint16_t>(frontend_words::mop_mask_high.get(mop_cfg));
}

void MopExpander::start(Arch arch, const Entry& mop) {
  using namespace frontend_words;
  dead_cycles_ = 0;
  used_inline_counts_ = false;
  source_ = mop.source();
  step_ = 0;
  if (!template1.match(mop.word)) {
    phase_ = Phase::template0;
    mask_ = static_cast<std::uint32_t>(mask_high_) << mop_mask_low.width() | mop_mask_low.get(mop.word);
    outer_ = mop_count.get(mop.word) + 1;
    return;
  }
  phase_ = Phase::start_op;
  counts_read_ = 3;
  outer_ = config[0] & count_mask;
  inner_count_ = config[1] & count_mask;
  if (mop_may_have_counts(arch)) {
    const std::uint32_t inline_inner = mop_inner_count.get(mop.word);
    const std::uint32_t inline_outer =
        mop_outer_count_high.get(mop.word) << mop_outer_count_low.width() | mop_outer_count_low.get(mop.word);
    used_inline_counts_ = inline_inner != 0 || inline_outer != 0;
    if (inline_inner != 0) inner_count_ = inline_inner;
    if (inline_outer != 0) outer_ = inline_outer;
    counts_read_ = static_cast<std::uint8_t>((inline_outer == 0 ? 1U : 0U) | (inline_inner == 0 ? 2U : 0U));
  }
  // With a second loop instruction the two alternate, and the inner loop runs twice as long.
  if (!is_nop(config[6])) inner_count_ *= 2;
  // Hardware bug (timing 2.1).
  if (outer_ == 1 && is_nop(config[2]) && inner_count_ == 0 && !is_nop(config[3])) outer_ += 128;
  inner_ = 0;
}

std::uint16_t MopExpander::words_to_come() const {
  unsigned words = 0;
  const auto reads = [&words](unsigned word, bool really = true) { words |= really ? 1U << word : 0U; };
  if (phase_ == Phase::template0) {
    const bool has_b = (config[1] & 1U) != 0;
    const bool has_a123 = (config[1] & 2U) != 0;
    // Iterations from the 32nd on find a mask of zeros.
    const std::uint32_t iterations = outer_ >= 32 ? ~0U : (1U << outer_) - 1U;
    const bool skips = (mask_ & iterations) != 0;
    const bool runs = outer_ > 32 || (~mask_ & iterations) != 0;
    reads(1);
    reads(2, runs && has_b);
    reads(3, runs);
    for (const unsigned a : {4U, 5U, 6U})
      reads(a, runs && has_a123);
    reads(7, skips);
    reads(8, skips && has_b);
    return static_cast<std::uint16_t>(words);
  }
  words = counts_read_;
  if (outer_ == 0) return static_cast<std::uint16_t>(words);
  reads(2);
  reads(3);
  reads(4, !is_nop(config[3]));
  reads(5, inner_count_ > 1);
  reads(6);
  reads(7, inner_count_ > 0);
  reads(8, inner_count_ > 0 && outer_ > 1);
  return static_cast<std::uint16_t>(words);
}

void MopExpander::finish() {
  phase_ = Phase::idle;
  dead_cycles_ = exit_penalty_;
}

std::optional<Entry> MopExpander::next() {
  if (phase_ == Phase::idle) return std::nullopt;
  const auto word = phase_ == Phase::template0 ? next_of_template0() : next_of_template1();
  if (!word) return std::nullopt;
  return Entry::expanded(*word, source_);
}

/// config: 1 flags (HasB, HasA123), 2 B, 3-6 A0-A3, 7 SkipA0, 8 SkipB.
std::optional<Word> MopExpander::next_of_template0() {
  if (outer_ == 0) {
    finish();
    return std::nullopt;
  }
  const bool has_b = (config[1] & 1U) != 0;
  const bool has_a123 = (config[1] & 2U) != 0;
  const bool skip = (mask_ & 1U) != 0;
  const unsigned a_words = skip ? 1 : has_a123 ? 4 : 1;
  const unsigned iteration_words = a_words + (has_b ? 1 : 0);
  Word word = 0;
  if (step_ < a_words)
    word = skip ? config[7] : config[3 + step_];
  else
    word = skip ? config[8] : config[2];
  if (++step_ == iteration_words) {
    step_ = 0;
    mask_ >>= 1U;
    if (--outer_ == 0) finish();
  }
  return word;
}

/// config: 2 StartOp, 3 EndOp0, 4 EndOp1, 5 LoopOp, 6 LoopOp1, 7 Loop0Last, 8 Loop1Last. NOPs are left out.
std::optional<Word> MopExpander::next_of_template1() {
  while (outer_ != 0) {
    std::optional<Word> word;
    switch (phase_) {
      case Phase::start_op: word = start_of_iteration(); break;
      case Phase::loop_op: word = inner_loop(); break;
      case Phase::end_op0: word = end_of_iteration(); break;
      case Phase::end_op1: word = second_end_of_iteration(); break;
      default: return std::nullopt;
    }
    if (word) return word;
  }
  if (phase_ != Phase::idle) finish();
  return std::nullopt;
}

// Each part gives its word, or nothing if it has none; the expansion ends with the last word that anything follows.

std::optional<Word> MopExpander::start_of_iteration() {
  phase_ = Phase::loop_op;
  inner_ = 0;
  if (is_nop(config[2])) return std::nullopt;
  if (outer_ == 1 && inner_count_ == 0 && is_nop(config[3])) finish();
  return config[2];
}

std::optional<Word> MopExpander::inner_loop() {
  if (inner_ == inner_count_) {
    phase_ = Phase::end_op0;
    return std::nullopt;
  }
  if (++inner_ != inner_count_) {
    const bool second = !is_nop(config[6]) && inner_ % 2 == 0;
    return second ? config[6] : config[5];
  }
  // The last iteration of the inner loop is overridden, differently in the last iteration of the outer one.
  const Word last = outer_ == 1 ? config[7] : config[8];
  if (outer_ == 1 && is_nop(config[3])) finish();
  return last;
}

std::optional<Word> MopExpander::end_of_iteration() {
  phase_ = Phase::end_op1;
  if (is_nop(config[3])) return std::nullopt;
  if (outer_ == 1 && is_nop(config[4])) finish();
  return config[3];
}

std::optional<Word> MopExpander::second_end_of_iteration() {
  phase_ = Phase::start_op;
  if (--outer_ == 0) finish();
  if (is_nop(config[3]) || is_nop(config[4])) return std::nullopt;
  return config[4];
}

}  // namespace tensim::tensix
