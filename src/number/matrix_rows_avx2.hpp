// matrix_rows.hpp with AVX2. Call only where supported() says so.
#pragma once

#include <span>

#include "number/matrix_rows.hpp"

namespace tensim::number::avx2 {

bool supported();

void multiply_rows(const MatrixMode& mode, SrcARows src_a, std::span<const MultiplyRow> rows);
void multiply_elements(const ElementMode& mode, std::span<const ElementRow> rows);
void add_elements(const ElementMode& mode, AddOrSubtract operation, bool accumulate_dst,
                  std::span<const ElementRow> rows);

}  // namespace tensim::number::avx2
