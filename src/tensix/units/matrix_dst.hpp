// Rows of Dst as the Matrix Unit reads and writes them: in 16 or 32 bits, wherever the addressing puts them, and with
// rows that ZEROACC has marked as undefined read as whatever changes nothing.
#pragma once

#include "number/matrix_rows.hpp"
#include "tensix/registers/dst.hpp"

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
  number::DstRow read(unsigned row, const Dst::Row& undefined) const {
    const unsigned at = wide_ ? addressing_.row32(row) : addressing_.row16(row);
    const unsigned low = wide_ ? at + Dst::low_half : at;
    if (dst_.is_undefined[at]) return {&undefined, &undefined, &dst_.bits[at], &dst_.bits[low]};
    return {&dst_.bits[at], &dst_.bits[low], &dst_.bits[at], &dst_.bits[low]};
  }

  /// To read and then write all of, so that it is defined from here on.
  number::DstRow take(unsigned row, const Dst::Row& undefined) {
    const number::DstRow found = read(row, undefined);
    mark(row, false);
    return found;
  }

  /// A row of 32 bits is undefined in both of its rows of bits.
  void mark(unsigned row, bool undefined) {
    const unsigned at = wide_ ? addressing_.row32(row) : addressing_.row16(row);
    dst_.is_undefined[at] = undefined;
    if (wide_) dst_.is_undefined[at + Dst::low_half] = undefined;
  }

 private:
  Dst& dst_;
  DstAddressing addressing_;
  bool wide_;
};

}  // namespace tensim::tensix
