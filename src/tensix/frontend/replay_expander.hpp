// Replay Expander: records words into a 32-slot buffer, or plays them back (REPLAY.md, errata 8).
#pragma once

#include <array>

#include "arch/sizes.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

class ReplayExpander {
 public:
  static constexpr unsigned slots = size_of_both("replay_slots"_size);

  bool is_passing() const { return mode_ == Mode::pass; }
  bool is_playing() const { return mode_ == Mode::play; }
  bool is_recording() const { return mode_ == Mode::record; }
  /// Recording without Exec: words are swallowed.
  bool swallows() const { return mode_ == Mode::record && !executes_; }
  /// Words that it has yet to record or to play.
  unsigned words_to_come() const { return left_; }
  /// The REPLAY that it was started with last.
  const Entry& replay() const { return replay_; }

  /// Takes a REPLAY in; playback then starts with next().
  void start(const Entry& replay);
  /// Stores a word while recording.
  void record(const Entry& entry);
  /// Where the next word is recorded, or taken from.
  unsigned slot() const { return index_; }
  /// The slots between there and the end, a bit each.
  std::uint32_t slots_to_come() const;
  void set_slot(unsigned slot, Word word) { buffer_[slot] = word; }
  /// The next word of a playback.
  Entry next();

 private:
  enum class Mode : std::uint8_t { pass, record, play };
  void count_down();

  std::array<Word, slots> buffer_{};
  Mode mode_ = Mode::pass;
  bool executes_ = false;
  std::uint8_t index_ = 0;
  std::uint8_t left_ = 0;
  Entry replay_;
};

}  // namespace tensim::tensix
