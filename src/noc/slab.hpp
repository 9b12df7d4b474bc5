// Things that come and go, named by numbers that are used again.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace tensim::noc {

template <class T>
class Slab {
 public:
  std::int32_t add(T thing) {
    ++size_;
    if (free_ < 0) {
      things_.push_back({std::move(thing), -1});
      return static_cast<std::int32_t>(things_.size()) - 1;
    }
    const std::int32_t number = free_;
    Place& place = things_[static_cast<std::size_t>(number)];
    free_ = place.next_free;
    place.thing = std::move(thing);
    return number;
  }
  void remove(std::int32_t number) {
    --size_;
    things_[static_cast<std::size_t>(number)].next_free = free_;
    free_ = number;
  }
  T& operator[](std::int32_t number) { return things_[static_cast<std::size_t>(number)].thing; }
  const T& operator[](std::int32_t number) const { return things_[static_cast<std::size_t>(number)].thing; }
  std::size_t size() const { return size_; }

 private:
  struct Place {
    T thing;
    std::int32_t next_free = -1;
  };
  std::vector<Place> things_;
  std::int32_t free_ = -1;
  std::size_t size_ = 0;
};

}  // namespace tensim::noc
