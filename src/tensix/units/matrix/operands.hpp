// Which rows of SrcA, SrcB and Dst an instruction of the Matrix Unit works on: fields of the word, the thread's counters
// and, for Dst, two offsets of the configuration, cut to the alignment that the instruction's page gives. What moves
// data, what keeps hazards and what lists footprints all ask here.
#pragma once

#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;
struct Candidate;

/// `count` rows from `first` on, every `step`-th. Rows of a bank of Src wrap around at its end (assumed; only MVMUL's,
/// DOTPV's and GAPOOL's sixteen rows of SrcA can reach it).
struct RowRange {
  std::uint16_t first = 0;
  std::uint8_t count = 0;
  std::uint8_t step = 1;

  constexpr unsigned row(unsigned index) const { return first + index * step; }
  friend constexpr bool operator==(const RowRange&, const RowRange&) = default;
};

/// Rows that are not used have a count of 0; `src_a.first` is then still the row that the instruction works out, which
/// SHIFTXA takes over.
struct MatrixOperands {
  RowRange src_a;
  RowRange src_b;
  RowRange dst;  // as the instruction numbers them; Dst's views say where they lie
};

MatrixOperands matrix_operands(const Coprocessor& coprocessor, const Candidate& candidate);

/// Before any alignment: the word's row, the counter and the two offsets.
unsigned matrix_dst_row(const Coprocessor& coprocessor, const Candidate& candidate);

}  // namespace tensim::tensix
