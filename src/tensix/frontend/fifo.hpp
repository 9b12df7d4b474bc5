// A bounded queue of plain data.
#pragma once

#include <array>
#include <cstdint>

namespace tensim::tensix {

template <class T, unsigned Capacity>
class Fifo {
  static_assert((Capacity & (Capacity - 1)) == 0 && Capacity <= 128, "the index wraps with a mask");

 public:
  constexpr bool empty() const { return size_ == 0; }
  constexpr bool full() const { return size_ == Capacity; }
  constexpr unsigned size() const { return size_; }
  constexpr const T& front() const { return slots_[head_]; }
  constexpr const T& operator[](unsigned index) const { return slots_[(head_ + index) & (Capacity - 1)]; }
  constexpr void push(const T& item) {
    slots_[(head_ + size_) & (Capacity - 1)] = item;
    ++size_;
  }
  constexpr T pop() {
    const T item = slots_[head_];
    head_ = static_cast<std::uint8_t>((head_ + 1U) & (Capacity - 1));
    --size_;
    return item;
  }

 private:
  std::array<T, Capacity> slots_{};
  std::uint8_t head_ = 0;
  std::uint8_t size_ = 0;
};

}  // namespace tensim::tensix
