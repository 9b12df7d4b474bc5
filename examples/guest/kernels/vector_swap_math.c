/* Math: sorts the 16 datums of every column of every face, upwards or downwards: a bitonic sort with SFPSWAP.
 *
 * Four vectors are the even or odd columns of a face, and row i of it is 4 * LReg + lane row. Pairs whose LRegs
 * differ are compared; SFPTRANSP exchanges LReg and lane row, so that the other two bits of i get their turn. Where a
 * bit of i decides upon the direction, it is either the LReg's, and operands are exchanged, or the lane row's, and
 * SFPSWAP's mode does it. */
#include "job.h"
#include "tensim/vector.h"

enum { GROUP_ROWS = 4, FACE_ROWS = 16 };

/* LRegs that differ in the upper bit, and in the lower one. */
ALWAYS_INLINE void compare_2(unsigned rows) {
  V_SORT(V0, V2, rows);
  V_SORT(V1, V3, rows);
}
ALWAYS_INLINE void compare_1(unsigned rows) {
  V_SORT(V0, V1, rows);
  V_SORT(V2, V3, rows);
}
/* The second pair the other way round. */
ALWAYS_INLINE void compare_1_both_ways(void) {
  V_SORT(V0, V1, V_ALL_ROWS);
  V_SORT(V3, V2, V_ALL_ROWS);
}

static void sort_v0_to_v3(void) {
  TTI_SFPTRANSP;
  compare_1_both_ways(); /* runs of 2 */
  compare_2(V_EVEN_ROWS);
  compare_1(V_EVEN_ROWS); /* of 4 */
  TTI_SFPTRANSP;
  compare_1_both_ways();
  TTI_SFPTRANSP;
  compare_2(V_UPPER_TWO_ROWS);
  compare_1(V_UPPER_TWO_ROWS); /* of 8 */
  TTI_SFPTRANSP;
  compare_2(V_ALL_ROWS);
  compare_1(V_ALL_ROWS);
  TTI_SFPTRANSP;
  compare_2(V_ALL_ROWS);
  compare_1(V_ALL_ROWS); /* of 16 */
  TTI_SFPTRANSP;
}

/* Downwards is upwards of what is negated. */
static void negate(void) {
  V_NEGATE(V0, V0);
  V_NEGATE(V1, V1);
  V_NEGATE(V2, V2);
  V_NEGATE(V3, V3);
}

static void sort_columns(void) {
  const int downwards = job.operation == DOWNWARDS;
  V_LOAD(V0, 0, DST_FP32);
  V_LOAD(V1, GROUP_ROWS, DST_FP32);
  V_LOAD(V2, 2 * GROUP_ROWS, DST_FP32);
  V_LOAD(V3, 3 * GROUP_ROWS, DST_FP32);
  if (downwards) negate();
  sort_v0_to_v3();
  if (downwards) negate();
  V_STORE(V0, 0, DST_FP32);
  V_STORE(V1, GROUP_ROWS, DST_FP32);
  V_STORE(V2, 2 * GROUP_ROWS, DST_FP32);
  V_STORE(V3, 3 * GROUP_ROWS, DST_FP32);
}

int main(void) {
  const struct formats formats = job.formats;
  math_set_up(&formats);
  vector_set_up();
  for (unsigned block = 0; block < job.blocks; ++block) {
    WAIT_FOR_DST();
    set_dst_row(dst_row_of(block));
    tile_to_dst(0);
    VECTORS_BEGIN();
    for (unsigned face = 0; face < 4; ++face) {
      sort_columns();
      V_NEXT(); /* odd columns */
      sort_columns();
      TTI_INCRWC(0, FACE_ROWS - VECTOR_ROWS, 0, 0);
    }
    VECTORS_GIVE_DST();
  }
  return 0;
}
