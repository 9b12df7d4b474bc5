/* T1: SrcA to Dst. */
#ifndef TENSIM_COPY_H
#define TENSIM_COPY_H

#include "tensim/math.h"

enum { MOVE_1_ROW = 0, MOVE_8_ROWS = 2 };

/* Mode 0 must leave the counters as they are. */
static inline void copy_rows(unsigned how_many, uint32_t src_row, uint32_t dst_row) {
  TT_MOVA2D(0, src_row, 0, how_many, dst_row);
}
static inline void copy_face(uint32_t src_row, uint32_t dst_row) {
  copy_rows(MOVE_8_ROWS, src_row, dst_row);
  copy_rows(MOVE_8_ROWS, src_row + 8, dst_row + 8);
}

#endif
