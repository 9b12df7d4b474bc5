// Words that T cores have pushed ahead of the others: each with the cycle in which it enters its thread's FIFO. A core may
// leave a word here as long as the FIFO is sure to have room for it: the thread only makes room, and nobody else takes any.
// The coprocessor takes the words when it comes to their cycles, so nobody sees them earlier than in lock-step.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "arch/sizes.hpp"
#include "tensix/frontend/fifo.hpp"
#include "tensix/types.hpp"
#include "time/order.hpp"

namespace tensim::tile {

using namespace tensim::literals;

struct WordAhead {
  time::Cycle cycle = 0;
  std::uint32_t word = 0;
  std::uint32_t origin = 0;
};

class WordsAhead {
 public:
  /// The cycle of the first of all; `never` if there is none.
  time::Cycle first() const { return first_; }
  /// How many words are under way to the thread.
  int under_way(unsigned thread) const { return static_cast<int>(queues_[thread].size()); }
  /// There is room for all words that the thread's FIFO is sure to take, with those of one store beyond them.
  void add(unsigned thread, const WordAhead& word) {
    queues_[thread].push(word);
    first_ = std::min(first_, word.cycle);
  }
  /// Hands over what enters before `cycle`: visit(thread, word).
  template <class Visit>
  void take(time::Cycle cycle, Visit visit) {
    first_ = time::never;
    for (unsigned thread = 0; thread < tensix::thread_count; ++thread) {
      auto& queue = queues_[thread];
      while (!queue.empty() && queue.front().cycle < cycle) {
        visit(thread, queue.front());
        queue.pop();
      }
      if (!queue.empty()) first_ = std::min(first_, queue.front().cycle);
    }
  }

 private:
  static constexpr unsigned most = 64;
  static_assert(most >= larger_size("fifo_push_depth_t0"_size) + larger_size("ttinsn_fuse_max"_size));

  std::array<tensix::Fifo<WordAhead, most>, tensix::thread_count> queues_{};
  time::Cycle first_ = time::never;
};

}  // namespace tensim::tile
