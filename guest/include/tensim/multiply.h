/* T1: the product of two tiles. SrcB holds the left one, SrcA the right one; 16 MVMULs per fidelity phase, each of 8 rows
 * of SrcB with a face of SrcA, added to 8 rows of Dst. */
#ifndef TENSIM_MULTIPLY_H
#define TENSIM_MULTIPLY_H

#include "tensim/math.h"

/* Where SrcB and SrcA go behind a product: to the lower half of SrcB's face; to SrcA's next face, SrcB's the same; to the
 * next face of both; that, and on to the next phase. Counters are modulo 64 rows, so that 56 is 8 back. */
enum { LOWER_HALF, NEXT_COLUMN, NEXT_FACES, NEXT_PHASE };

static inline void multiply_set_up(void) {
  MATRIX_MODE(LOWER_HALF, 0, 8);
  MATRIX_MODE(NEXT_COLUMN, 16, 56);
  MATRIX_MODE(NEXT_FACES, 16, 8);
  MATRIX_MODE(NEXT_PHASE, 16, 8);
  MATRIX_PHASE_MODE(NEXT_PHASE, PHASE_NEXT);
}

#define MULTIPLY(step, dst_row) TTI_MVMUL(KEEP_SRC, 0, step, dst_row)

/* Two faces of the result side by side, but for the last product. Its columns take turns: a product that adds to Dst rows
 * of just before would wait for them. */
#define MULTIPLY_BUT_LAST(dst_row)    \
  MULTIPLY(LOWER_HALF, dst_row);      \
  MULTIPLY(NEXT_COLUMN, dst_row + 8); \
  MULTIPLY(LOWER_HALF, dst_row + 16); \
  MULTIPLY(NEXT_FACES, dst_row + 24); \
  MULTIPLY(LOWER_HALF, dst_row);      \
  MULTIPLY(NEXT_COLUMN, dst_row + 8); \
  MULTIPLY(LOWER_HALF, dst_row + 16)

/* RELEASE() afterwards: the phase is one too far. */
static inline void multiply_tiles(unsigned phases) {
  for (unsigned phase = 0; phase < phases; ++phase) {
    MULTIPLY_BUT_LAST(0);
    MULTIPLY(NEXT_FACES, 24);
    MULTIPLY_BUT_LAST(32);
    MULTIPLY(NEXT_PHASE, 56);
  }
}

#endif
