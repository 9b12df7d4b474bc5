// The words of a frontend: at the gate, behind them in the replay FIFO, behind those in the push FIFO. One ring holds all
// three, because almost every word only passes the expanders: it then moves by being counted in the next FIFO. What an
// expander takes out or puts in is rare, and moves the few words ahead of it.
#pragma once

#include <array>

#include "arch/sizes.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

class WordQueue {
 public:
  static constexpr unsigned gate_depth = size_of_both("fifo_gate_depth"_size);
  static constexpr unsigned replay_depth = size_of_both("fifo_replay_depth"_size);
  static constexpr unsigned push_depth = larger_size("fifo_push_depth_t0"_size);  // T1 and T2 may have less

  /// All words, oldest first.
  unsigned size() const { return gate_size() + replay_size() + pushed_size(); }
  const Entry& operator[](unsigned index) const { return slots_[(head_ + index) % capacity]; }

  // ---- the gate FIFO ----

  bool gate_empty() const { return (counts_ & gate_bits) == 0; }
  bool gate_full() const { return (counts_ & gate_depth * at_gate) != 0; }
  unsigned gate_size() const { return counts_ & gate_bits; }
  const Entry& candidate() const { return slots_[head_ % capacity]; }
  Entry pop_candidate() {
    counts_ -= at_gate;
    return slots_[head_++ % capacity];
  }
  /// A word that was in no FIFO joins those at the gate.
  void insert_at_gate(const Entry& entry) {
    insert(gate_size(), entry);
    counts_ += at_gate;
  }

  // ---- the replay FIFO ----

  bool replay_empty() const { return replay_size() == 0; }
  bool replay_full() const { return (counts_ & replay_depth * in_replay) != 0; }
  unsigned replay_size() const { return counts_ / in_replay % (in_push / in_replay); }
  const Entry& replay_front() const { return (*this)[gate_size()]; }
  /// Its front moves to the gate.
  void pass_replay() { counts_ += at_gate - in_replay; }
  Entry take_from_replay() {
    counts_ -= in_replay;
    return remove(gate_size());
  }
  /// A word that was in no FIFO joins it.
  void insert_in_replay(const Entry& entry) {
    insert(gate_size() + replay_size(), entry);
    counts_ += in_replay;
  }

  // ---- the push FIFO ----

  bool pushed_empty() const { return counts_ < in_push; }
  unsigned pushed_size() const { return counts_ / in_push; }
  const Entry& pushed_at(unsigned index) const { return (*this)[gate_size() + replay_size() + index]; }
  void push(const Entry& entry) {
    slots_[tail_++ % capacity] = entry;
    counts_ += in_push;
  }
  /// Its front moves to the replay FIFO.
  void pass_mop() { counts_ += in_replay - in_push; }
  Entry take_pushed() {
    counts_ -= in_push;
    return remove(gate_size() + replay_size());
  }

  // ---- a cycle in which words only pass ----

  struct Step {
    std::uint8_t moves = 0;       // what the counts lose by it
    bool may_move_again = false;  // in the next cycle, if nobody pushes or pops
    /// Words that leave the push FIFO.
    constexpr unsigned takes_pushed() const { return moves / (in_push / 2); }
  };
  Step move() {
    const Step step = steps[counts_];
    counts_ -= step.moves;
    return step;
  }
  bool can_move() const { return steps[counts_].moves != 0; }

 private:
  // Counts of words, in one number: two bits for the gate FIFO, four for the replay FIFO, the rest for the push FIFO. The
  // highest bit of each of the first two is set only if the FIFO is full.
  static constexpr unsigned at_gate = 1;
  static constexpr unsigned in_replay = 1U << 2U;
  static constexpr unsigned in_push = 1U << 6U;
  static constexpr unsigned gate_bits = in_replay - 1;

  static constexpr unsigned all_counts = (push_depth + 1) * in_push;

  /// The expanders look at the FIFO before them and the one behind them, the one nearer to the gate first.
  static constexpr Step step_of(unsigned counts) {
    const unsigned gate = counts % in_replay;
    const unsigned replay = counts / in_replay % (in_push / in_replay);
    const unsigned leaves = gate < gate_depth && replay > 0 ? 1U : 0U;
    const unsigned takes = replay - leaves < replay_depth && counts >= in_push ? 1U : 0U;
    return {.moves = static_cast<std::uint8_t>(leaves * (in_replay - at_gate) + takes * (in_push - in_replay))};
  }
  static constexpr std::array<Step, all_counts> make_steps() {
    std::array<Step, all_counts> all{};
    for (unsigned counts = 0; counts < all_counts; ++counts) {
      all[counts] = step_of(counts);
      all[counts].may_move_again = step_of(counts - all[counts].moves).moves != 0;
    }
    return all;
  }
  static const std::array<Step, all_counts> steps;

  void insert(unsigned index, const Entry& entry) {
    --head_;
    for (unsigned i = 0; i < index; ++i)
      slots_[(head_ + i) % capacity] = slots_[(head_ + i + 1) % capacity];
    slots_[(head_ + index) % capacity] = entry;
  }
  Entry remove(unsigned index) {
    const Entry removed = (*this)[index];
    for (unsigned i = index; i > 0; --i)
      slots_[(head_ + i) % capacity] = slots_[(head_ + i - 1) % capacity];
    ++head_;
    return removed;
  }

  static constexpr unsigned capacity = 64;
  static_assert(gate_depth + replay_depth + push_depth <= capacity);

  unsigned head_ = 0;  // of the oldest word; the newest is before tail_
  unsigned tail_ = 0;
  unsigned counts_ = 0;
  std::array<Entry, capacity> slots_{};
};

inline constexpr std::array<WordQueue::Step, WordQueue::all_counts> WordQueue::steps = WordQueue::make_steps();

}  // namespace tensim::tensix
