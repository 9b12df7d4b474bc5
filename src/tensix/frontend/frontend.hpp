// One thread's frontend up to the Wait Gate: push FIFO, MOP Expander, BRISC mux, Replay Expander and the FIFOs between
// them. docs/architecture/cycle.md has the diagram and the rules.
#pragma once

#include <optional>
#include <utility>

#include "tensix/frontend/fifo.hpp"
#include "tensix/frontend/mop_expander.hpp"
#include "tensix/frontend/replay_expander.hpp"
#include "tensix/registers/written.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

/// What a frontend has to say about a cycle, beside the words it moved.
struct FrontendNotes {
  std::optional<Entry> dropped_at_mux;  // BRISC's word took its place (C25)
  std::optional<Entry> inline_mop;      // a MOP with counts of its own (errata 9)
  std::optional<Entry> long_replay;     // REPLAY with a count above 32 (errata 8)
  // What an expansion takes that nobody has written, a bit each, and the MOP or REPLAY that does.
  std::uint16_t unwritten_mop_words = 0;
  std::uint32_t unwritten_replay_slots = 0;
  Entry unwritten_by_mop;
  Entry unwritten_by_replay;
};

class Frontend {
 public:
  Frontend() = default;
  Frontend(Arch arch, unsigned thread);

  MopExpander mop;
  WrittenFrontend written;

  void set_mop_word(unsigned word, Word value) {
    mop.config[word] = value;
    written.mop_words |= static_cast<std::uint16_t>(1U << word);
  }
  /// What the slot holds before anybody records into it.
  void set_replay_slot(unsigned slot, Word value) { replay_.set_slot(slot, value); }

  bool can_push() const { return has_credits_ ? credits_ <= readmit_level_ : push_fifo_.size() < push_depth_; }
  void push(Word word, std::uint32_t origin) {
    const Entry entry = Entry::pushed(word, origin);
    push_fifo_.push(entry);
    ++credits_;
    if (entry.concerns_frontend()) simple_ = false;
  }

  /// BRISC's entry behind the MOP Expander: one word waits there until the replay FIFO takes it.
  bool can_push_from_brisc() const { return !brisc_word_.has_value(); }
  void push_from_brisc(Word word, std::uint32_t origin) {
    brisc_word_ = Entry::expanded(word, origin);
    simple_ = false;
  }

  bool has_candidate() const { return !gate_fifo_.empty(); }
  const Entry& candidate() const { return gate_fifo_.front(); }
  void pop_candidate() { leave(gate_fifo_.pop()); }

  /// Moves words one hop towards the gate. True if anything moved or changed.
  bool advance(Arch arch) {
    if (!simple_) return advance_slowly(arch);
    const bool replay_moves = !gate_fifo_.full() && !replay_fifo_.empty();
    if (replay_moves) gate_fifo_.push(replay_fifo_.pop());
    const bool mop_moves = !replay_fifo_.full() && !push_fifo_.empty();
    if (mop_moves) replay_fifo_.push(push_fifo_.pop());
    return replay_moves || mop_moves;
  }
  /// Whether a word may move in the next cycle; true if in doubt.
  bool can_advance() const {
    return !simple_ || (!gate_fifo_.full() && !replay_fifo_.empty()) || (!replay_fifo_.full() && !push_fifo_.empty());
  }

  /// What the last cycles had to say; empty almost always. Whoever reads it clears it.
  bool has_notes() const { return has_notes_; }
  FrontendNotes take_notes() {
    has_notes_ = false;
    return std::exchange(notes_, {});
  }

  /// Soft reset of the T core: the push FIFO and the MOP Expander lose what they hold.
  void discard_before_mux() {
    while (!push_fifo_.empty())
      leave(push_fifo_.pop());
    mop.discard();
  }
  /// The FIFO before the Replay Expander, with BRISC's entry to it.
  bool second_fifo_full() const { return replay_fifo_.full() || brisc_word_.has_value(); }
  bool second_fifo_empty() const { return replay_fifo_.empty() && !brisc_word_; }

  bool is_empty() const {
    return push_fifo_.empty() && replay_fifo_.empty() && gate_fifo_.empty() && !mop.is_expanding() &&
           !replay_.is_playing() && !brisc_word_;
  }
  /// No MOP queued or expanding (C31).
  bool mop_is_idle() const;
  /// Words that a core pushed and that still hold their place, oldest first.
  template <class Visit>
  void for_each_pushed(Visit visit) const {
    const auto visit_fifo = [&](const auto& fifo) {
      for (unsigned i = 0; i < fifo.size(); ++i)
        if (fifo[i].holds_credit()) visit(fifo[i]);
    };
    visit_fifo(gate_fifo_);
    visit_fifo(replay_fifo_);
    visit_fifo(push_fifo_);
  }
  unsigned words_held() const { return push_fifo_.size() + replay_fifo_.size() + gate_fifo_.size(); }

 private:
  bool advance_slowly(Arch arch);
  bool advance_replay();
  struct Presented {
    std::optional<Entry> word = {};
    bool changed = false;
  };
  void start_mop(Arch arch, const Entry& entry);
  Presented step_expander(Arch arch, bool room);
  bool advance_mop(Arch arch);
  bool has_only_plain_words() const;
  void look_for_unwritten_mop_words(const Entry& entry);
  void look_for_unwritten_slots(const Entry& entry);
  void deliver(const Entry& entry) { gate_fifo_.push(entry); }
  void leave(const Entry& entry) { credits_ -= entry.holds_credit() ? 1U : 0U; }

  static constexpr unsigned replay_depth = 8;
  static constexpr unsigned gate_depth = 2;

  Fifo<Entry, 32> push_fifo_;
  std::optional<Entry> brisc_word_;
  Fifo<Entry, replay_depth> replay_fifo_;
  ReplayExpander replay_;
  Fifo<Entry, gate_depth> gate_fifo_;
  unsigned push_depth_ = 32;
  bool has_credits_ = false;  // Blackhole: places are held until a word leaves the frontend
  unsigned readmit_level_ = 0;
  unsigned credits_ = 0;
  /// Neither expander has anything to do, now or with any word on its way: words only move.
  bool simple_ = true;
  bool has_notes_ = false;
  FrontendNotes notes_;
};

}  // namespace tensim::tensix
