// One thread's frontend up to the Wait Gate: push FIFO, MOP Expander, BRISC mux, Replay Expander and the FIFOs between
// them. docs/architecture/cycle.md has the diagram and the rules.
#pragma once

#include <optional>
#include <utility>

#include "tensix/frontend/auto_ttsync.hpp"
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
  AutoTtSync auto_ttsync;

  void set_mop_word(unsigned word, Word value) {
    mop.config[word] = value;
    written.mop_words |= static_cast<std::uint16_t>(1U << word);
  }
  /// What the slot holds before anybody records into it.
  void set_replay_slot(unsigned slot, Word value) { replay_.set_slot(slot, value); }

  bool can_push() const { return has_credits_ ? credits_ <= readmit_level_ : push_fifo_.size() < push_depth_; }
  void push(Word word, std::uint32_t origin) {
    const Entry entry = Entry::pushed(word, origin);
    if (entry.concerns_frontend() || auto_ttsync.is_on()) {
      if (auto_ttsync.takes(word)) return;
      simple_ = false;
    }
    push_fifo_.push(entry);
    ++credits_;
  }

  /// BRISC's entry behind the MOP Expander: one word waits there until the replay FIFO takes it.
  bool can_push_from_brisc() const { return !brisc_word_.has_value(); }
  void push_from_brisc(Word word, std::uint32_t origin) {
    brisc_word_ = Entry::expanded(word, origin);
    simple_ = false;
  }

  bool has_candidate() const { return !gate_fifo_.empty(); }
  const Entry& candidate() const { return gate_fifo_.front(); }
  void pop_candidate() {
    if (auto_ttsync.is_on()) auto_ttsync.candidate_passes();
    leave(gate_fifo_.pop());
  }

  /// Auto TTSync stands in front of the push FIFO and watches the others. `bank`: the thread's StateID now.
  void enable_auto_ttsync(const TtSyncEnables& enables, unsigned bank);
  void reset_auto_ttsync(unsigned bank);

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

  bool is_empty() const {
    return push_fifo_.empty() && replay_fifo_.empty() && gate_fifo_.empty() && !mop.is_expanding() &&
           !replay_.is_playing() && !brisc_word_;
  }
  /// No MOP queued or expanding (C31).
  bool mop_is_idle() const;
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
  AutoTtSync::WordsAhead words_ahead() const;
  unsigned bank_behind_all_words(unsigned bank) const;
  void look_for_unwritten_mop_words(const Entry& entry);
  void look_for_unwritten_slots(const Entry& entry);
  Entry take_for_replay() {
    auto_ttsync.replay_expander_takes();
    return replay_fifo_.pop();
  }
  void deliver(const Entry& entry) {
    auto_ttsync.replay_expander_gives();
    gate_fifo_.push(entry);
  }
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
  /// Neither expander has anything to do, now or with any word on its way, and nobody watches: words only move.
  bool simple_ = true;
  bool has_notes_ = false;
  FrontendNotes notes_;
};

}  // namespace tensim::tensix
