// Rows of Dst as the Matrix Unit reads and writes them: in 16 or 32 bits, wherever the addressing puts them, and with
// rows that ZEROACC has marked as undefined read as whatever changes nothing.
#pragma once

#include <cstring>

#include "number/matrix_rows.hpp"
#include "tensix/registers/dst.hpp"
#include "tensix/units/matrix/operands.hpp"

namespace tensim::tensix {

/// What undefined rows are read as: the neutral element of sums, and of GMPOOL's maximum (ZEROACC.md).
inline constexpr Dst::Row undefined_as_zero{};
inline constexpr Dst::Row undefined_as_minus_infinity = [] {
  Dst::Row row{};
  row.fill(0xFFFF);
  return row;
}();

class DstView {
 public:
  DstView(Dst& dst, DstAddressing addressing, bool wide) : dst_(dst), addressing_(addressing), wide_(wide) {}

  /// To read. In 32 bits the row of the upper halves says whether the row is defined.
  number::DstRow read(unsigned row, const Dst::Row& undefined) const { return at(place(row), undefined); }

  /// To read and then write all of, so that it is defined from here on.
  number::DstRow take(unsigned row, const Dst::Row& undefined) {
    const number::DstRow found = read(row, undefined);
    mark(row, false);
    return found;
  }

  /// The same for several rows; `use` gets the number of each and the row.
  template <class Use>
  void take(const RowRange& rows, const Dst::Row& undefined, Use use) {
    if (rows.count == together && rows.step == 1 && takes_together(rows.first)) [[likely]] {
      Dst::Row* const high = &dst_.bits[place(rows.first)];
      Dst::Row* const low = high + (wide_ ? Dst::low_half : 0);
#pragma GCC unroll 8
      for (unsigned i = 0; i < together; ++i)
        use(i, number::DstRow{high + i, low + i, high + i, low + i});
      return;
    }
    for (unsigned i = 0; i < rows.count; ++i)
      use(i, take(rows.row(i), undefined));
  }

  /// A row of 32 bits is undefined in both of its rows of bits.
  void mark(unsigned row, bool undefined) {
    const unsigned high = place(row);
    dst_.is_undefined[high] = undefined;
    if (wide_) dst_.is_undefined[high + Dst::low_half] = undefined;
  }

 private:
  static constexpr unsigned together = 8;

  unsigned place(unsigned row) const { return wide_ ? addressing_.row32(row) : addressing_.row16(row); }

  number::DstRow at(unsigned high, const Dst::Row& undefined) const {
    const unsigned low = high + (wide_ ? Dst::low_half : 0);
    const bool is_defined = !dst_.is_undefined[high];
    return {is_defined ? &dst_.bits[high] : &undefined, is_defined ? &dst_.bits[low] : &undefined, &dst_.bits[high],
            &dst_.bits[low]};
  }

  /// Eight aligned rows that are all defined and lie behind each other, which only swizzling can prevent. They are what
  /// a program works on most of the time, and their eight flags are one word.
  bool takes_together(unsigned first) {
    if (first % together != 0 || ((wide_ || addressing_.upper_halves) && addressing_.swizzle)) return false;
    const unsigned high = place(first);
    std::uint64_t flags = 0;
    static_assert(sizeof(flags) == together * sizeof(bool));
    std::memcpy(&flags, &dst_.is_undefined[high], sizeof(flags));
    if (flags != 0) return false;
    if (wide_) std::memset(&dst_.is_undefined[high + Dst::low_half], 0, sizeof(flags));
    return true;
  }

  Dst& dst_;
  DstAddressing addressing_;
  bool wide_;
};

}  // namespace tensim::tensix
