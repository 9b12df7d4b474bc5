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

/* Tables take LRegs of their own. */
static void look_up(void) {
  V_LOAD(V3, 0, DST_FP32);
  if (job.operation == SIGMOID_BY_TABLE) {
    sigmoid_by_table_of_v3();
    V_STORE(V3, 0, DST_FP32);
  } else {
    tanh_by_table_of_v3();
    V_STORE(V4, 0, DST_FP32);
  }
}

static void function_of_v0(void) {
  switch (job.operation) {
    case EXP:
      clamp_for_exp();
      exp_of_v0();
      break;
    case RECIPROCAL: reciprocal_of_v0(); break;
    case SQRT: sqrt_of_v0(); break;
    case SIGMOID: sigmoid_of_v0(); break;
    case TANH: tanh_of_v0(); break;
    case TO_INT32_AND_BACK:
      integer_of_v0();
      sign_and_magnitude_of_v0();
      TTI_SFPCAST(V0, V0, 0);
      break;
    default: ROUND(ROUND_TO_BF16); break;
  }
  V_STORE(V0, 0, DST_FP32);
}

static void convert_v0(void) {
  switch (job.operation) {
    case TO_INT32:
      integer_of_v0();
      sign_and_magnitude_of_v0();
      break;
    case TO_UINT8: ROUND(ROUND_TO_UINT8); break;
    case TO_INT8: ROUND(ROUND_TO_INT8); break;
    default: ROUND(ROUND_TO_UINT16); break;
  }
  V_STORE(V0, 0, DST_INT32);
}

static void one_vector(void) {
  if (job.operation == SIGMOID_BY_TABLE || job.operation == TANH_BY_TABLE) return look_up();
  V_LOAD(V0, 0, DST_FP32);
  if (job.formats.dst == FORMAT_INT32)
    convert_v0();
  else
    function_of_v0();
}

int main(void) {
  const struct formats formats = job.formats;
  math_set_up(&formats);
  set_up();
  for (unsigned block = 0; block < job.blocks; ++block) {
    WAIT_FOR_DST();
    set_dst_row(dst_row_of(block));
    tile_to_dst(0);
    VECTORS_BEGIN();
    for (unsigned vector = 0; vector < VECTORS; ++vector) {
      one_vector();
      V_NEXT();
    }
    VECTORS_GIVE_DST();
  }
  return 0;
}
