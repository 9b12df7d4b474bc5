/* Math: 16 MVMULs per fidelity phase. Each multiplies 8 rows of SrcB with a face of SrcA, and adds to 8 rows of Dst. */
#include "shared.h"

/* Where SrcB and SrcA go behind a product: to the lower half of SrcB's face; to SrcA's next face, SrcB's the same; to the
 * next face of both. Counters are modulo 64 rows, so that 56 is 8 back. */
enum { LOWER_HALF, NEXT_COLUMN, NEXT_FACES, LAST };

static inline void set_up_steps(void) {
  MATRIX_MODE(LOWER_HALF, 0, 8);
  MATRIX_MODE(NEXT_COLUMN, 16, 56);
  MATRIX_MODE(NEXT_FACES, 16, 8);
  MATRIX_MODE(LAST, 16, 8);
  MATRIX_PHASE_MODE(LAST, PHASE_NEXT);
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

/* The last product steps the phase, or goes back to the first one and gives SrcA and SrcB back. */
static inline void multiply_tiles(unsigned is_last_phase) {
  MULTIPLY_BUT_LAST(0);
  MULTIPLY(NEXT_FACES, 24);
  MULTIPLY_BUT_LAST(32);
  if (!is_last_phase) {
    MULTIPLY(LAST, 56);
    return;
  }
  MATRIX_PHASE_MODE(LAST, PHASE_FIRST);
  TTI_MVMUL(RELEASE_SRC_AB, 0, LAST, 56);
}

int main(void) {
  math_set_up();
  set_up_steps();
  const unsigned phases = fidelity_phases();
  WAIT_FOR_DST();
  clear_dst();
  for (unsigned phase = 1; phase <= phases; ++phase)
    multiply_tiles(phase == phases);
  GIVE_DST();
  return 0;
}
