// What the configuration makes of the Matrix Unit's operands: formats of Src, width of Dst, fidelity phase. Pages: MVMUL.md
// and its like, MOVA2D.md, MOVD2A.md. Blackhole takes the format with which a bank was unpacked, unless told not to; that
// this goes before an override, and that moves to and from SrcB go by SrcB's bank, are the reference's.
#pragma once

#include <optional>

#include "number/matrix_arithmetic.hpp"
#include "tensix/types.hpp"

namespace tensim::tensix {

struct Coprocessor;
struct Candidate;

/// Banks of SrcA and SrcB keep the format that the unpacker wrote.
constexpr bool has_implied_formats(Arch arch) {
  return on(arch, false, true);
}

/// For moves. "SrcAFmt" decides, whichever of SrcA and SrcB moves.
struct MoveFormats {
  bool is_tf32 = false;  // as configured, even where FP16A_FORCE_Enable has the last word on `style`
  number::SrcStyle style = number::SrcStyle::bf16;
  bool dst_32b = false;
  bool keeps_denormals = false;
  bool is_no_format = false;  // undefined
};

/// `moved` is the file whose bank implies the format.
MoveFormats move_formats(const Coprocessor& coprocessor, const Candidate& candidate, Src moved);

/// For arithmetic; nothing if what is configured is not modelled. Reports what is undefined.
std::optional<number::MatrixMode> matrix_mode(Coprocessor& coprocessor, const Candidate& candidate);

}  // namespace tensim::tensix
