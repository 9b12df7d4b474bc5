// One thread's frontend up to the Wait Gate: push FIFO, MOP Expander, BRISC mux, Replay Expander and the FIFOs between
// them. docs/architecture/cycle.md has the diagram and the rules.
#pragma once

#include <optional>
#include <utility>

#include "tensix/frontend/auto_ttsync.hpp"
#include "tensix/frontend/mop_expander.hpp"
#include "tensix/frontend/replay_expander.hpp"
#include "tensix/frontend/word_queue.hpp"
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

struct UnitTiming;

class Frontend {
 public:
  Frontend() = default;
  Frontend(const UnitTiming& timing, unsigned thread);

  MopExpander mop;
  WrittenFrontend written;
  AutoTtSync auto_ttsync;

  void set_mop_word(unsigned word, Word value) {
    mop.config[word] = value;
    written.mop_words |= static_cast<std::uint16_t>(1U << word);
  }
  /// What the slot holds before anybody records into it.
  void set_replay_slot(unsigned slot, Word value) { replay_.set_slot(slot, value); }

  /// For whoever shows the state.
  const ReplayExpander& replay_expander() const { return replay_; }

  bool can_push() const { return places_ > 0; }
  /// How many more words the T core may push; less than none if the last store brought more than there was room for.
  int places() const { return places_; }
  /// Whether the word, or one before it, may move in the next cycle; true if in doubt.
  bool push(Word word, std::uint32_t origin) {
    if (isa::opcode_of(word) <= opcodes_looked_at_) return push_slowly(word, origin);
    queue_.push({word, next_tag(origin)});
    --places_;
    return !queue_.replay_full();
  }

  /// BRISC's entry behind the MOP Expander: one word waits there until the replay FIFO takes it.
  bool can_push_from_brisc() const { return !brisc_word_.has_value(); }
  void push_from_brisc(Word word, std::uint32_t origin) {
    brisc_word_ = {word, Entry::tag_of(word, 0) | origin << Entry::origin_shift | Entry::brisc_bit | brisc_tag_};
    brisc_tag_ += one_push;
    simple_ = false;
  }

  bool has_candidate() const { return !queue_.gate_empty(); }
  const Entry& candidate() const { return queue_.candidate(); }
  void pop_candidate() { leave(queue_.pop_candidate()); }

  /// Auto TTSync stands in front of the push FIFO and watches the others. `bank`: the thread's StateID now.
  void enable_auto_ttsync(const TtSyncEnables& enables, unsigned bank);
  void reset_auto_ttsync(unsigned bank);

  /// Moves words one hop towards the gate. True if anything moved or changed.
  bool advance(Arch arch) { return simple_ ? move_words().moves != 0 : advance_slowly(arch); }
  /// Whether a word may move in the next cycle; true if in doubt.
  bool can_advance() const { return !simple_ || queue_.can_move(); }

  /// Neither expander has anything to do, now or with any word on its way: move_words() is all of advance().
  bool is_simple() const { return simple_; }
  WordQueue::Step move_words() {
    const WordQueue::Step step = queue_.move();
    places_ += static_cast<int>(step.takes_pushed()) & place_of_fifo_;
    return step;
  }

  /// What the last cycles had to say; empty almost always. Whoever reads it clears it.
  bool has_notes() const { return has_notes_; }
  FrontendNotes take_notes() {
    has_notes_ = false;
    return std::exchange(notes_, {});
  }

  /// Soft reset of the T core: the push FIFO and the MOP Expander lose what they hold.
  void discard_before_mux();
  /// The FIFO before the Replay Expander, with BRISC's entry to it.
  bool second_fifo_full() const { return queue_.replay_full() || brisc_word_.has_value(); }
  bool second_fifo_empty() const { return queue_.replay_empty() && !brisc_word_; }

  bool is_empty() const { return queue_.size() == 0 && !mop.is_expanding() && !replay_.is_playing() && !brisc_word_; }
  /// No MOP queued or expanding (C31).
  bool mop_is_idle() const;
  /// Words that a core pushed and that still hold their place, oldest first.
  template <class Visit>
  void for_each_pushed(Visit visit) const {
    for (unsigned i = 0; i < queue_.size(); ++i)
      if (queue_[i].holds_credit()) visit(queue_[i]);
  }
  unsigned words_held() const { return queue_.size(); }

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
  AutoTtSync::WordsAhead words_ahead() const;
  unsigned bank_behind_all_words(unsigned bank) const;
  void look_for_unwritten_mop_words(const Entry& entry);
  void look_for_unwritten_slots(const Entry& entry);
  bool push_slowly(Word word, std::uint32_t origin);
  bool passes_mop_expander() const;
  Entry take_pushed() {
    places_ += place_of_fifo_;
    return queue_.take_pushed();
  }
  /// The front of the replay FIFO passes the Replay Expander.
  void give_to_gate() {
    auto_ttsync.replay_expander_takes();
    auto_ttsync.replay_expander_gives();
    queue_.pass_replay();
  }
  /// A word that the Replay Expander plays.
  void play_to_gate() {
    auto_ttsync.replay_expander_gives();
    queue_.insert_at_gate(replay_.next());
  }
  /// Of the word that is pushed now.
  std::uint32_t next_tag(std::uint32_t origin) {
    const std::uint32_t tag = origin << Entry::origin_shift | tag_;
    tag_ += one_push;
    return tag;
  }
  void leave(const Entry& entry) { places_ += static_cast<int>(entry.tag & Entry::credit_bit); }

  /// How many more words the T core may push. Blackhole: a word gives its place back when it leaves the frontend; Wormhole:
  /// when it leaves the push FIFO.
  int places_ = 0;
  int place_of_fifo_ = 0;  // what comes back when a word leaves the push FIFO: 1 on Wormhole
  // What the next pushed word is tagged with, but for its origin: how many there have been, and on Blackhole
  // Entry::credit_bit. A byte, so that the number begins anew by itself.
  std::uint8_t tag_ = 0;
  std::uint8_t brisc_tag_ = 0;
  static constexpr std::uint8_t one_push = 1U << Entry::push_shift;
  static_assert(Entry::push_numbers << Entry::push_shift == 1U << 8);
  /// Pushed words with opcodes up to this one are looked at: the expanders' (and NOP among them), or, if Auto TTSync is on,
  /// all.
  std::uint8_t opcodes_looked_at_ = Entry::last_frontend_opcode;
  /// Neither expander has anything to do, now or with any word on its way, and nobody watches: words only move.
  bool simple_ = true;
  bool has_notes_ = false;
  WordQueue queue_;
  std::optional<Entry> brisc_word_;
  ReplayExpander replay_;
  FrontendNotes notes_;
};

}  // namespace tensim::tensix
