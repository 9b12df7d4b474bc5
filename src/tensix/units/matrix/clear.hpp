// ZEROACC's and ZEROSRC's fields, and what they reach.
#pragma once

#include <array>

#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;
struct Candidate;

/// ZEROACC's blocks of 16 rows are numbered within the half of Dst that the thread works in.
constexpr bool numbers_blocks_in_half(Arch arch) {
  return on(arch, false, true);
}

/// ZEROACC, with the fields where the chip has them.
struct Zeroacc {
  enum class Mode : std::uint8_t { one_row, sixteen_rows, half, all };
  Mode mode = Mode::one_row;
  bool wide = false;    // the field, for sixteen rows only
  bool revert = false;  // marks rows as defined
  unsigned index = 0;   // Imm10

  static Zeroacc of(Arch arch, Word word);
  /// Only these two modes apply the address modifier.
  bool has_addr_mod() const { return mode == Mode::one_row || mode == Mode::sixteen_rows; }
};

/// Rows `first` to `first + count - 1` of the 16-bit or 32-bit view; none if the index is beyond Dst.
struct ZeroaccRows {
  unsigned first = 0;
  unsigned count = 0;
  bool wide = false;
};
ZeroaccRows zeroacc_rows(const Coprocessor& coprocessor, const Candidate& candidate, const Zeroacc& zeroacc);

/// ZEROSRC: [file][bank] to be cleared.
std::array<std::array<bool, 2>, 2> zerosrc_banks(const Coprocessor& coprocessor, Word word);

}  // namespace tensim::tensix
