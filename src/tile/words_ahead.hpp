// Words that T cores have pushed ahead of the others: each with the cycle in which it enters its thread's FIFO. A core may
// leave a word here as long as the FIFO is sure to have room for it: the thread only makes room, and nobody else takes any.
// The coprocessor takes the words when it comes to their cycles, so nobody sees them earlier than in lock-step.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "riscv/order.hpp"
#include "tensix/frontend/fifo.hpp"
#include "tensix/types.hpp"

namespace tensim::tile {

/// What one store brings.
struct PushedWords {
  riscv::Cycle cycle = 0;
  std::uint32_t origin = 0;  // of the first; the others follow it
  std::uint32_t count = 0;
  std::array<std::uint32_t, 4> words{};
};

class WordsAhead {
 public:
  /// The cycle of the first of all; `never` if there is none.
  riscv::Cycle first() const { return first_; }
  /// How many words are under way to the thread.
  int under_way(unsigned thread) const { return words_[thread]; }
  bool takes(unsigned thread) const { return !queues_[thread].full(); }
  void add(unsigned thread, const PushedWords& pushed) {
    queues_[thread].push(pushed);
    words_[thread] += static_cast<int>(pushed.count);
    first_ = std::min(first_, pushed.cycle);
  }
  /// Hands over what enters before `cycle`: visit(thread, words).
  template <class Visit>
  void take(riscv::Cycle cycle, Visit visit) {
    first_ = riscv::never;
    for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
      auto& queue = queues_[thread];
      while (!queue.empty() && queue.front().cycle < cycle) {
        words_[thread] -= static_cast<int>(queue.front().count);
        visit(thread, queue.pop());
      }
      if (!queue.empty()) first_ = std::min(first_, queue.front().cycle);
    }
  }

 private:
  static constexpr unsigned most = 32;  // a FIFO has no more places

  std::array<tensix::Fifo<PushedWords, most>, tensix::thread_count> queues_{};
  std::array<int, tensix::thread_count> words_{};
  riscv::Cycle first_ = riscv::never;
};

}  // namespace tensim::tile
