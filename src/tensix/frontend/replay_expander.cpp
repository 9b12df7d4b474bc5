#include "tensix/frontend/replay_expander.hpp"

#include <bit>

#include "tensix/frontend/words.hpp"

namespace tensim::tensix {

void ReplayExpander::start(const Entry& replay) {
  using namespace frontend_words;
  static_assert(replay_index.max() == slots - 1);
  const bool load = replay_load.get(replay.word) != 0;
  executes_ = replay_exec.get(replay.word) != 0;
  // Only the low five bits of the count are used, and 0 acts as 32 (errata 8).
  const unsigned count = replay_count.get(replay.word) % slots;
  left_ = static_cast<std::uint8_t>(count == 0 ? slots : count);
  index_ = static_cast<std::uint8_t>(replay_index.get(replay.word));
  replay_ = replay;
  mode_ = load ? Mode::record : Mode::play;
}

void ReplayExpander::count_down() {
  index_ = static_cast<std::uint8_t>((index_ + 1U) & (slots - 1));
  if (--left_ == 0) mode_ = Mode::pass;
}

void ReplayExpander::record(const Entry& entry) {
  buffer_[index_] = entry.word;
  count_down();
}

std::uint32_t ReplayExpander::slots_to_come() const {
  const auto from_zero = static_cast<std::uint32_t>((std::uint64_t{1} << left_) - 1);
  return std::rotl(from_zero, index_);
}

Entry ReplayExpander::next() {
  const Word word = buffer_[index_];
  count_down();
  return Entry::expanded(word, replay_.source());
}

}  // namespace tensim::tensix
