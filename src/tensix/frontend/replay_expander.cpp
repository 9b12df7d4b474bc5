#include "tensix/frontend/replay_expander.hpp"

#include <bit>

namespace tensim::tensix {

void ReplayExpander::start(const Entry& replay) {
  const bool load = (replay.word & 1U) != 0;
  executes_ = (replay.word & 2U) != 0;
  // Only the low five bits of the count are used, and 0 acts as 32 (errata 8).
  const unsigned count = replay.word >> 4U & (slots - 1);
  left_ = static_cast<std::uint8_t>(count == 0 ? slots : count);
  index_ = static_cast<std::uint8_t>(replay.word >> 14U & (slots - 1));
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
  return Entry::expanded(word, replay_.origin());
}

}  // namespace tensim::tensix
