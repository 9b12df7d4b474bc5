// A list with room for `Capacity` items, so that a row of a table is one literal. Too many items in a literal do not
// compile; at run time push_back says that it had no room.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>

namespace tensim {

template <class T, std::size_t Capacity>
class FixedList {
 public:
  constexpr FixedList() = default;
  constexpr FixedList(std::initializer_list<T> items) {
    for (const T& item : items)
      items_.at(size_++) = item;
  }
  [[nodiscard]] constexpr bool push_back(const T& item) {
    if (size_ == Capacity) return false;
    items_[size_++] = item;
    return true;
  }
  constexpr const T* begin() const { return items_.data(); }
  constexpr const T* end() const { return items_.data() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](std::size_t index) const { return items_[index]; }

 private:
  std::array<T, Capacity> items_{};
  std::size_t size_ = 0;
};

}  // namespace tensim
