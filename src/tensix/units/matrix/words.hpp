// Where the Matrix Unit's instructions say that they give Src banks back (src/isa/table/matrix.hpp).
#pragma once

#include "tensix/registers/fields.hpp"

namespace tensim::tensix::matrix_words {

inline constexpr isa::Field flip_src_a = field_of("SETRWC", "", "FlipSrcA");
inline constexpr isa::Field flip_src_b = field_of("SETRWC", "", "FlipSrcB");
inline constexpr Word flip_bits = flip_src_a.mask() | flip_src_b.mask();

/// An instruction that has the two fields has them in the same places as all others.
constexpr bool flips(Word word, Src src) {
  return (src == Src::a ? flip_src_a : flip_src_b).get(word) != 0;
}
consteval bool all_flip_alike() {
  for (const isa::UnitTable& unit : isa::unit_tables)
    for (const isa::Form& row : unit.forms) {
      if (row.unit != isa::Unit::matrix) continue;
      const isa::Field* a = row.field("FlipSrcA");
      const isa::Field* b = row.field("FlipSrcB");
      if ((a == nullptr) != (b == nullptr)) return false;
      if (a != nullptr && (!same_place(*a, flip_src_a) || !same_place(*b, flip_src_b))) return false;
    }
  return true;
}
static_assert(all_flip_alike());

inline constexpr isa::Field reset_all = field_of("CLEARDVALID", "", "ResetAll");
inline constexpr isa::Field keep_reading_same_src = field_of("CLEARDVALID", "", "KeepReadingSameSrc");

}  // namespace tensim::tensix::matrix_words
