// Rows of Dst as the Matrix Unit reads and writes them: in 16 or 32 bits, wherever the addressing puts them, and with
// rows that ZEROACC has marked as undefined read as whatever changes nothing.
#pragma once

#include <algorithm>

#include "number/matrix_rows.hpp"
#include "tensix/registers/dst.hpp"
#include "tensix/units/matrix_operands.hpp"

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
    if (rows.step != 1 || rows.first % together != 0 || rows.count % together != 0) {
      for (unsigned i = 0; i < rows.count; ++i)
        use(i, take(rows.row(i), undefined));
      return;
    }
    for (unsigned i = 0; i < rows.count; i += together) {
      const unsigned first = place(rows.first + i);
      for (unsigned each = 0; each < together; ++each)
        use(i + each, at(first + each, undefined));
      define_together(first);
    }
  }

  /// A row of 32 bits is undefined in both of its rows of bits.
  void mark(unsigned row, bool undefined) {
    const unsigned high = place(row);
    dst_.is_undefined[high] = undefined;
    if (wide_) dst_.is_undefined[high + Dst::low_half] = undefined;
  }

 private:
  /// No addressing takes four aligned rows apart.
  static constexpr unsigned together = 4;

  unsigned place(unsigned row) const { return wide_ ? addressing_.row32(row) : addressing_.row16(row); }

  number::DstRow at(unsigned high, const Dst::Row& undefined) const {
    const unsigned low = high + (wide_ ? Dst::low_half : 0);
    const bool is_defined = !dst_.is_undefined[high];
    return {is_defined ? &dst_.bits[high] : &undefined, is_defined ? &dst_.bits[low] : &undefined, &dst_.bits[high],
            &dst_.bits[low]};
  }

  void define_together(unsigned high) {
    const auto define = [&](unsigned first) { std::fill_n(dst_.is_undefined.begin() + first, together, false); };
    define(high);
    if (wide_) define(high + Dst::low_half);
  }

  Dst& dst_;
  DstAddressing addressing_;
  bool wide_;
};

}  // namespace tensim::tensix
