// A set of rows of Dst or Src, and the runs that it is made of.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "tensix/registers/dst.hpp"

namespace tensim::tensix {

class RowSet {
 public:
  void add(unsigned row) {
    words_[row / word_bits] |= std::uint64_t{1} << row % word_bits;
    used_ |= 1U << row / word_bits;
  }
  /// Rows of bits that hold a row of Dst, as the addressing has it.
  void add(const DstAddressing& addressing, unsigned row, bool wide) {
    if (!wide) return add(addressing.row16(row));
    const unsigned upper = addressing.row32(row);
    add(upper);
    add(upper + Dst::low_half);
  }
  bool has(unsigned row) const { return (words_[row / word_bits] >> row % word_bits & 1U) != 0; }

  /// `visit(first, count)`, in ascending order.
  template <class Visit>
  void for_each_run(Visit visit) const {
    unsigned first = 0;
    unsigned end = 0;  // of the run that may go on
    for (unsigned left = used_; left != 0; left &= left - 1) {
      const auto index = static_cast<unsigned>(std::countr_zero(left));
      std::uint64_t bits = words_[index];
      for (unsigned at = index * word_bits; bits != 0;) {
        const auto zeros = static_cast<unsigned>(std::countr_zero(bits));
        bits >>= zeros;
        const auto ones = static_cast<unsigned>(std::countr_one(bits));
        bits = ones == word_bits ? 0 : bits >> ones;
        at += zeros;
        if (at != end) {
          if (end != first) visit(first, end - first);
          first = at;
        }
        end = at += ones;
      }
    }
    if (end != first) visit(first, end - first);
  }

 private:
  static constexpr unsigned word_bits = 64;
  std::array<std::uint64_t, Dst::rows / word_bits> words_{};
  unsigned used_ = 0;  // which words have any
};

}  // namespace tensim::tensix
