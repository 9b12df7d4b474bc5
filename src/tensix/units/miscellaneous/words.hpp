// Where SETDVALID has its fields (src/isa/table/miscellaneous.hpp).
#pragma once

#include "tensix/registers/fields.hpp"

namespace tensim::tensix {

/// SETDVALID: the unpackers' bank of `src` is handed to the Matrix Unit.
constexpr bool sets_dvalid(Word word, Src src) {
  constexpr isa::Field flip_src_a = field_of("SETDVALID", "", "FlipSrcA");
  constexpr isa::Field flip_src_b = field_of("SETDVALID", "", "FlipSrcB");
  return (src == Src::a ? flip_src_a : flip_src_b).get(word) != 0;
}

}  // namespace tensim::tensix
