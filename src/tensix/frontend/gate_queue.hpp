// The words behind the MOP Expander: in the replay FIFO, and in the gate FIFO before it. One ring holds both, because almost
// every word only passes the Replay Expander: it then moves by being counted at the gate.
#pragma once

#include <array>

#include "tensix/types.hpp"

namespace tensim::tensix {

class GateQueue {
 public:
  static constexpr unsigned replay_depth = 8;
  static constexpr unsigned gate_depth = 2;

  /// Both FIFOs, oldest word first.
  unsigned size() const { return at_gate_ + waiting_; }
  const Entry& operator[](unsigned index) const { return slots_[(head_ + index) % capacity]; }

  // ---- the replay FIFO ----

  bool replay_empty() const { return waiting_ == 0; }
  bool replay_full() const { return waiting_ == replay_depth; }
  unsigned replay_size() const { return waiting_; }
  /// The word of the replay FIFO that is `index` words from its front.
  const Entry& replay_at(unsigned index) const { return slots_[(head_ + at_gate_ + index) % capacity]; }
  void push(const Entry& entry) {
    slots_[tail_++ % capacity] = entry;
    ++waiting_;
  }
  /// Takes the front out of the replay FIFO. The words at the gate close the hole.
  Entry take() {
    const Entry taken = replay_at(0);
    for (unsigned i = at_gate_; i > 0; --i)
      slots_[(head_ + i) % capacity] = slots_[(head_ + i - 1) % capacity];
    ++head_;
    --waiting_;
    return taken;
  }

  // ---- the gate FIFO ----

  bool gate_empty() const { return at_gate_ == 0; }
  bool gate_full() const { return at_gate_ == gate_depth; }
  unsigned gate_size() const { return at_gate_; }
  const Entry& candidate() const { return slots_[head_ % capacity]; }
  Entry pop_candidate() {
    --at_gate_;
    return slots_[head_++ % capacity];
  }
  /// The front of the replay FIFO moves to the gate.
  void pass() {
    ++at_gate_;
    --waiting_;
  }
  /// A word that was in no FIFO joins those at the gate, which make room for it.
  void insert_at_gate(const Entry& entry) {
    --head_;
    for (unsigned i = 0; i < at_gate_; ++i)
      slots_[(head_ + i) % capacity] = slots_[(head_ + i + 1) % capacity];
    slots_[(head_ + at_gate_) % capacity] = entry;
    ++at_gate_;
  }

 private:
  static constexpr unsigned capacity = 16;
  static_assert(replay_depth + gate_depth <= capacity);

  unsigned head_ = 0;  // of the words at the gate; the replay FIFO follows them, up to tail_
  unsigned tail_ = 0;
  unsigned at_gate_ = 0;
  unsigned waiting_ = 0;  // in the replay FIFO
  std::array<Entry, capacity> slots_{};
};

}  // namespace tensim::tensix
