/* Math: functions of FP32 in the Vector Unit, and conversions. */
#include "job.h"
#include "tensim/vector_functions.h"

/* Mod1 of SFPSTOCHRND, to the nearest. Integers are sign and magnitude; those without a sign take the magnitude. */
enum { ROUND_TO_BF16 = 1, ROUND_TO_UINT8 = 2, ROUND_TO_INT8 = 3, ROUND_TO_UINT16 = 6 };
#define ROUND(mode) TTI_SFPSTOCHRND(V0, 0, V0, 0, mode, 0)

static void set_up(void) {
  vector_set_up();
  switch (job.operation) {
    case EXP:
    case SIGMOID:
    case TANH: return exp_set_up();
    case SQRT: return sqrt_set_up();
    case SIGMOID_BY_TABLE: return sigmoid_table_set_up();
    case TANH_BY_TABLE: return tanh_table_set_up();
    default: return;
  }
}

ALWAYS_INLINE void truncate_v0(void) {
  sign_and_magnitude_integer_of_v0();
  TTI_SFPCAST(V0, V0, 0);
}
ALWAYS_INLINE void round_to_bf16(void) {
  ROUND(ROUND_TO_BF16);
}
ALWAYS_INLINE void round_to_uint8(void) {
  ROUND(ROUND_TO_UINT8);
}
ALWAYS_INLINE void round_to_int8(void) {
  ROUND(ROUND_TO_INT8);
}
ALWAYS_INLINE void round_to_uint16(void) {
  ROUND(ROUND_TO_UINT16);
}

/* A loop for each: the core would take longer to choose than the Vector Unit to compute. */
static void functions_of_a_tile(void) {
  switch (job.operation) {
    case EXP: return change_vectors(V0, clamped_exp_of_v0, DST_FP32);
    case RECIPROCAL: return change_vectors(V0, reciprocal_of_v0, DST_FP32);
    case SQRT: return change_vectors(V0, sqrt_of_v0, DST_FP32);
    case SIGMOID: return change_vectors(V0, sigmoid_of_v0, DST_FP32);
    case TANH: return change_vectors(V0, tanh_of_v0, DST_FP32);
    case SIGMOID_BY_TABLE: return change_vectors(V3, sigmoid_by_table_of_v3, DST_FP32);
    case TANH_BY_TABLE: return change_vectors(V3, tanh_by_table_of_v3, DST_FP32);
    case TO_INT32: return change_vectors(V0, sign_and_magnitude_integer_of_v0, DST_INT32);
    case TO_INT32_AND_BACK: return change_vectors(V0, truncate_v0, DST_FP32);
    case TO_BF16: return change_vectors(V0, round_to_bf16, DST_FP32);
    case TO_UINT8: return change_vectors(V0, round_to_uint8, DST_INT32);
    case TO_INT8: return change_vectors(V0, round_to_int8, DST_INT32);
    default: return change_vectors(V0, round_to_uint16, DST_INT32);
  }
}

int main(void) {
  const struct formats formats = job.formats;
  math_set_up(&formats);
  set_up();
  for (unsigned block = 0; block < job.blocks; ++block) {
    WAIT_FOR_DST();
    set_dst_row(dst_row_of(block));
    tile_to_dst(0);
    functions_of_a_tile();
    VECTORS_GIVE_DST();
  }
  return 0;
}
