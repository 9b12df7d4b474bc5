// A bounded queue of plain data.
#pragma once

#include <array>

namespace tensim::tensix {

template <class T, unsigned Capacity>
class Fifo {
  static_assert((Capacity & (Capacity - 1)) == 0, "indices wrap with a mask");

 public:
  constexpr bool empty() const { return head_ == tail_; }
  constexpr bool full() const { return size() == Capacity; }
  constexpr unsigned size() const { return tail_ - head_; }
  constexpr const T& front() const { return slots_[head_ % Capacity]; }
  constexpr const T& operator[](unsigned index) const { return slots_[(head_ + index) % Capacity]; }
  constexpr T& at(unsigned index) { return slots_[(head_ + index) % Capacity]; }
  constexpr void push(const T& item) { slots_[tail_++ % Capacity] = item; }
  constexpr T pop() { return slots_[head_++ % Capacity]; }

 private:
  std::array<T, Capacity> slots_{};
  unsigned head_ = 0;  // both only grow: what is between them is in the queue
  unsigned tail_ = 0;
};

}  // namespace tensim::tensix
