// multiply_rows() of floats for hosts whose vectors nobody wrote code for: loops over the 16 columns of a row that a
// compiler can turn into whatever the host has (SSE2, NEON).
#pragma once

#include <span>

#include "number/matrix_rows.hpp"

namespace tensim::number::plain {

void multiply_float_rows(const MatrixMode& mode, SrcARows src_a, std::span<const MultiplyRow> rows);

}  // namespace tensim::number::plain
