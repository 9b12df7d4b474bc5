/* Math: operations of two or three tiles in the Vector Unit: integers, comparisons, a choice. The operands of a block are
 * side by side in Dst; the result takes the place of the first. */
#include "job.h"
#include "tensim/vector_functions.h"

/* V0 and V1, by way of V4. */
ALWAYS_INLINE void integers_of_both(void) {
  integer_of_v0();
  V_COPY(V4, V0);
  V_COPY(V0, V1);
  integer_of_v0();
  V_COPY(V1, V0);
  V_COPY(V0, V4);
}

/* A logical shift of what is not negative: all bits are turned round before and after. */
ALWAYS_INLINE void shift_right(void) {
  V_COPY(V2, V0);
  V_WHERE_NEGATIVE(V2);
  V_NOT(V0);
  V_EVERYWHERE();
  V_INTEGER_SUBTRACT_FROM(V1, V_ZERO);
  V_SHIFT(V0, V1);
  V_WHERE_NEGATIVE(V2);
  V_NOT(V0);
  V_EVERYWHERE();
}

static void integer_operation(void) {
  integers_of_both();
  switch (job.operation) {
    case INTEGER_ADD: V_INTEGER_ADD(V0, V1); break;
    case INTEGER_AND: V_AND(V0, V1); break;
    case INTEGER_OR: V_OR(V0, V1); break;
    case INTEGER_XOR: V_XOR(V0, V1); break;
    case SHIFT_LEFT: V_SHIFT(V0, V1); break;
    default: shift_right(); break;
  }
  sign_and_magnitude_of_v0();
  V_STORE(V0, 0, DST_INT32);
}

/* 1 or 0. */
static void comparison(void) {
  V_MAD(V1, V1, V_MINUS_ONE, V0);
  V_SET_SMALL(V0, 0);
  if (job.operation == IS_LESS)
    V_WHERE_NEGATIVE(V1);
  else
    V_WHERE_ZERO(V1);
  V_SET_BF16(V0, BF16_ONE);
  V_EVERYWHERE();
  V_STORE(V0, 0, DST_FP32);
}

static void choice(void) {
  V_LOAD(V2, 2 * TILE_ROWS, DST_FP32);
  V_WHERE_NOT_ZERO(V0);
  V_COPY(V2, V1);
  V_EVERYWHERE();
  V_STORE(V2, 0, DST_FP32);
}

static void one_vector(void) {
  V_LOAD(V0, 0, DST_FP32);
  V_LOAD(V1, TILE_ROWS, DST_FP32);
  switch (job.operation) {
    case IS_LESS:
    case IS_EQUAL: return comparison();
    case MINIMUM:
      V_SORT(V0, V1, V_ALL_ROWS);
      V_STORE(V0, 0, DST_FP32);
      return;
    case MAXIMUM_OF_TWO:
      V_SORT(V0, V1, V_ALL_ROWS);
      V_STORE(V1, 0, DST_FP32);
      return;
    case WHERE: return choice();
    default: return integer_operation();
  }
}

int main(void) {
  const struct formats formats = job.formats;
  math_set_up(&formats);
  vector_set_up();
  for (unsigned block = 0; block < job.blocks; ++block) {
    WAIT_FOR_DST();
    set_dst_row(dst_row_of(block));
    for (unsigned operand = 0; operand < job.depth; ++operand)
      tile_to_dst(operand * TILE_ROWS);
    VECTORS_BEGIN();
    for (unsigned vector = 0; vector < VECTORS; ++vector) {
      one_vector();
      V_NEXT();
    }
    VECTORS_GIVE_DST();
  }
  return 0;
}
