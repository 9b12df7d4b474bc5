/* Math: operations of two or three tiles in the Vector Unit: integers, comparisons, a choice. The operands of a block
 * are side by side in Dst; the result takes the place of the first. */
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

ALWAYS_INLINE void integer_add(void) {
  V_INTEGER_ADD(V0, V1);
}
ALWAYS_INLINE void integer_and(void) {
  V_AND(V0, V1);
}
ALWAYS_INLINE void integer_or(void) {
  V_OR(V0, V1);
}
ALWAYS_INLINE void integer_xor(void) {
  V_XOR(V0, V1);
}
ALWAYS_INLINE void shift_left(void) {
  V_SHIFT(V0, V1);
}

/* 1 or 0. */
ALWAYS_INLINE void is_less(void) {
  V_MAD(V1, V1, V_MINUS_ONE, V0);
  V_SET_SMALL(V0, 0);
  V_WHERE_NEGATIVE(V1);
  V_SET_BF16(V0, BF16_ONE);
  V_EVERYWHERE();
}
ALWAYS_INLINE void is_equal(void) {
  V_MAD(V1, V1, V_MINUS_ONE, V0);
  V_SET_SMALL(V0, 0);
  V_WHERE_ZERO(V1);
  V_SET_BF16(V0, BF16_ONE);
  V_EVERYWHERE();
}
ALWAYS_INLINE void minimum(void) {
  V_SORT(V0, V1, V_ALL_ROWS);
}
ALWAYS_INLINE void maximum(void) {
  V_SORT(V1, V0, V_ALL_ROWS);
}
ALWAYS_INLINE void where(void) {
  V_LOAD(V2, 2 * TILE_ROWS, DST_FP32);
  V_WHERE_ZERO(V0);
  V_COPY(V1, V2);
  V_EVERYWHERE();
  V_COPY(V0, V1);
}

/* V0 and V1 to V0, for every vector. */
ALWAYS_INLINE void join_integers(void (*join)(void)) {
  VECTORS_BEGIN();
  for (unsigned vector = 0; vector < VECTORS; ++vector) {
    V_LOAD(V0, 0, DST_FP32);
    V_LOAD(V1, TILE_ROWS, DST_FP32);
    integers_of_both();
    join();
    sign_and_magnitude_of_v0();
    V_STORE(V0, 0, DST_INT32);
    V_NEXT();
  }
}
ALWAYS_INLINE void join_floats(void (*join)(void)) {
  VECTORS_BEGIN();
  for (unsigned vector = 0; vector < VECTORS; ++vector) {
    V_LOAD(V0, 0, DST_FP32);
    V_LOAD(V1, TILE_ROWS, DST_FP32);
    join();
    V_STORE(V0, 0, DST_FP32);
    V_NEXT();
  }
}

static void join_tiles(void) {
  switch (job.operation) {
    case INTEGER_ADD: return join_integers(integer_add);
    case INTEGER_AND: return join_integers(integer_and);
    case INTEGER_OR: return join_integers(integer_or);
    case INTEGER_XOR: return join_integers(integer_xor);
    case SHIFT_LEFT: return join_integers(shift_left);
    case SHIFT_RIGHT: return join_integers(shift_right);
    case IS_LESS: return join_floats(is_less);
    case IS_EQUAL: return join_floats(is_equal);
    case MINIMUM: return join_floats(minimum);
    case MAXIMUM_OF_TWO: return join_floats(maximum);
    default: return join_floats(where);
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
    join_tiles();
    VECTORS_GIVE_DST();
  }
  return 0;
}
