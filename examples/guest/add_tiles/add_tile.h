/* Math: two tiles of BF16 that T0 has unpacked, added. 8 ELWADDs, each of 8 rows. */
#include "tensim/math.h"

enum { NEXT_ROWS };
#define ADD(release, dst_row) TTI_ELWADD(release, 0, 0, NEXT_ROWS, dst_row)

static inline void set_up_adding(void) {
  math_set_up(&all_bf16);
  MATRIX_MODE(NEXT_ROWS, 8, 8);
}

static inline void add_tile(void) {
  ADD(KEEP_SRC, 0);
  ADD(KEEP_SRC, 8);
  ADD(KEEP_SRC, 16);
  ADD(KEEP_SRC, 24);
  ADD(KEEP_SRC, 32);
  ADD(KEEP_SRC, 40);
  ADD(KEEP_SRC, 48);
  ADD(RELEASE_SRC_AB, 56);
}
