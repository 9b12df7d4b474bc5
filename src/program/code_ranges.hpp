// Where a program has code. Debug information also describes functions the linker dropped, at address 0 and elsewhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tensim::program {

class CodeRanges {
 public:
  void add(std::uint32_t address, std::size_t size) { ranges_.push_back({address, size}); }

  /// Before the first question. The ranges do not overlap.
  void sort() {
    std::sort(ranges_.begin(), ranges_.end(),
              [](const Range& left, const Range& right) { return left.address < right.address; });
  }

  [[nodiscard]] bool contain(std::uint32_t address) const {
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                        [](std::uint32_t value, const Range& range) { return value < range.address; });
    return after != ranges_.begin() && address - std::prev(after)->address < std::prev(after)->size;
  }

 private:
  struct Range {
    std::uint32_t address = 0;
    std::size_t size = 0;
  };

  std::vector<Range> ranges_;
};

}  // namespace tensim::program
