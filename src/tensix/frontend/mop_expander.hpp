// MOP Expander: turns a MOP into a sequence of instructions, by one of two templates over nine configuration words
// (MOPExpander.md). It hands on everything else, one word a cycle; MOP_CFG only sets the upper half of template 0's mask.
#pragma once

#include <array>
#include <optional>

#include "arch/arch.hpp"
#include "arch/sizes.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

class MopExpander {
 public:
  static constexpr unsigned config_words = size_of_both("mop_cfg_words"_size);

  MopExpander() = default;
  /// `exit_penalty`: cycles after an expansion in which only another MOP is taken in.
  explicit MopExpander(std::uint8_t exit_penalty) : exit_penalty_(exit_penalty) {}

  std::array<Word, config_words> config{};  // MopCfg, written by the thread's own T core

  bool is_passing() const { return phase_ == Phase::idle && dead_cycles_ == 0; }
  bool is_expanding() const { return phase_ != Phase::idle; }
  /// A cycle after an expansion in which nothing is taken in, unless the next word is a MOP.
  bool has_dead_cycle() const { return dead_cycles_ != 0; }
  void pass_dead_cycle() { --dead_cycles_; }

  /// Soft reset of the T core: what is left of an expansion is gone.
  void discard() {
    phase_ = Phase::idle;
    dead_cycles_ = 0;
  }

  void set_mask_high(Word mop_cfg);

  /// Takes a MOP in. Afterwards next() gives the words of its expansion, one by one.
  void start(Arch arch, const Entry& mop);

  /// Which MopCfg words the expansion just started depends on, a bit each: counts, flags, what it emits, what it tests.
  std::uint16_t words_to_come() const;

  /// The next word of the expansion, or nothing if it is over.
  std::optional<Entry> next();

  /// True if the MOP that is being expanded carried its own loop counts (Blackhole, errata 9).
  bool used_inline_counts() const { return used_inline_counts_; }

 private:
  enum class Phase : std::uint8_t { idle, template0, start_op, loop_op, end_op0, end_op1 };

  std::optional<Word> next_of_template0();
  std::optional<Word> next_of_template1();
  std::optional<Word> start_of_iteration();
  std::optional<Word> inner_loop();
  std::optional<Word> end_of_iteration();
  std::optional<Word> second_end_of_iteration();
  void finish();

  Phase phase_ = Phase::idle;
  std::uint8_t exit_penalty_ = 0;
  std::uint8_t dead_cycles_ = 0;  // to come
  bool used_inline_counts_ = false;
  std::uint16_t mask_high_ = 0;
  std::uint32_t mask_ = 0;
  std::uint32_t outer_ = 0;  // iterations left; template 0 has only this loop
  std::uint32_t inner_ = 0;  // of the inner loop: which iteration is next
  std::uint32_t inner_count_ = 0;
  std::uint8_t counts_read_ = 0;  // bit 0: the outer count is MopCfg's, bit 1: the inner one
  std::uint8_t step_ = 0;         // within an iteration of template 0
  std::uint32_t source_ = 0;
};

}  // namespace tensim::tensix
