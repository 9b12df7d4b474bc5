// Things that come and go, named by numbers that are used again.
#pragma once

#include <cstdint>
#include <vector>

namespace tensim::noc {

template <class T>
class Slab {
 public:
  std::int32_t add(T thing) {
    if (free_.empty()) {
      things_.push_back(std::move(thing));
      return static_cast<std::int32_t>(things_.size()) - 1;
    }
    const std::int32_t number = free_.back();
    free_.pop_back();
    things_[static_cast<std::size_t>(number)] = std::move(thing);
    return number;
  }
  void remove(std::int32_t number) { free_.push_back(number); }
  T& operator[](std::int32_t number) { return things_[static_cast<std::size_t>(number)]; }
  const T& operator[](std::int32_t number) const { return things_[static_cast<std::size_t>(number)]; }
  std::size_t size() const { return things_.size() - free_.size(); }

 private:
  std::vector<T> things_;
  std::vector<std::int32_t> free_;
};

}  // namespace tensim::noc
