// Loads between the Load/Store Unit and retirement. Instructions retire in order from a queue of eight: the oldest load
// that has not come back lets seven more instructions in behind it (BabyRISCV/README.md, MemoryOrdering.md). Most loads
// are answered at once and only take their time; some wait for what they read (a mailbox, a PCBuf, TTSync).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "arch/sizes.hpp"
#include "riscv/instruction.hpp"
#include "time/order.hpp"

namespace tensim::tile {
enum class Wait : std::uint8_t;  // tile/access.hpp: a core only carries it
}

namespace tensim::riscv {

using time::Cycle;
using time::never;

struct LoadInFlight {
  std::uint64_t number = 0;  // of the instruction, counted as they enter
  Cycle ready = never;       // when the value can be used; `never` until it is answered
  Op op = Op::lw;
  std::uint8_t rd = 0;
  std::uint8_t latency = 0;
  tile::Wait wait{};  // why it has not been answered
  std::uint32_t address = 0;
  std::uint32_t pc = 0;

  bool is_answered() const { return ready != never; }
};

class LoadQueue {
 public:
  static constexpr unsigned capacity = size_of_both("retire_queue_entries"_size);
  static_assert(capacity == size_of_both("loads_in_flight_local"_size), "nothing else bounds loads from the local RAM");
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

  bool empty() const { return size_ == 0; }
  unsigned size() const { return size_; }
  LoadInFlight& operator[](unsigned i) { return entries_[(head_ + i) % capacity]; }
  const LoadInFlight& operator[](unsigned i) const { return entries_[(head_ + i) % capacity]; }

  /// The instruction with this number cannot enter before the oldest load is back.
  std::uint64_t limit() const { return limit_; }

  /// There is always room: an instruction enters only below the limit.
  void push(const LoadInFlight& load) {
    (*this)[size_] = load;
    if (!load.is_answered()) ++unanswered_;
    if (size_++ == 0) limit_ = load.number + capacity;
  }
  void pop() {
    if (!(*this)[0].is_answered()) --unanswered_;
    head_ = static_cast<std::uint8_t>((head_ + 1U) % capacity);
    --size_;
    limit_ = empty() ? no_limit : (*this)[0].number + capacity;
  }
  /// Forgets what is back by `cycle`, oldest first.
  void retire(Cycle cycle) {
    while (!empty() && (*this)[0].ready <= cycle)
      pop();
  }
  bool has_unanswered() const { return unanswered_ != 0; }
  /// The load, which was not answered, is: its value can be used from `ready` on.
  void answer(unsigned i, Cycle ready) {
    (*this)[i].ready = ready;
    --unanswered_;
  }
  /// When the last of them is back.
  Cycle all_ready() const {
    Cycle last = 0;
    for (unsigned i = 0; i < size_; ++i)
      last = std::max(last, (*this)[i].ready);
    return last;
  }
  /// Moves all entries on by `cycles` and `instructions`: what a sleeping core has skipped.
  void shift(Cycle cycles, std::uint64_t instructions) {
    for (unsigned i = 0; i < size_; ++i) {
      if ((*this)[i].is_answered()) (*this)[i].ready += cycles;
      (*this)[i].number += instructions;
    }
    if (!empty()) limit_ += instructions;
  }

 private:
  std::array<LoadInFlight, capacity> entries_{};
  std::uint8_t head_ = 0;
  std::uint8_t size_ = 0;
  std::uint8_t unanswered_ = 0;
  std::uint64_t limit_ = no_limit;
};

/// At most four loads beyond the core are under way; each slot is free again one cycle before its value can be used
/// (four loads every N - 1 cycles).
class LoadSlots {
 public:
  Cycle free_from() const { return free_from_[next_]; }
  void take(Cycle cycle, unsigned latency) {
    free_from_[next_] = cycle + latency - 1U;
    next_ = static_cast<std::uint8_t>((next_ + 1U) % count);
  }
  void shift(Cycle cycles) {
    for (Cycle& slot : free_from_)
      slot += cycles;
  }
  std::array<Cycle, 4> relative_to(Cycle now) const {
    std::array<Cycle, count> left{};
    for (unsigned i = 0; i < count; ++i) {
      const Cycle at = free_from_[(next_ + i) % count];
      left[i] = at > now ? at - now : 0;
    }
    return left;
  }

 private:
  static constexpr unsigned count = size_of_both("loads_in_flight_remote"_size);
  std::array<Cycle, count> free_from_{};
  std::uint8_t next_ = 0;
};

}  // namespace tensim::riscv
