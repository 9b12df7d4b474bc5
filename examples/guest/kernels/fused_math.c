/* Math: a column of tiles, product plus bias, and a function of it, without leaving Dst. The first row of the bias is where
 * sums begin. */
#include "job.h"
#include "tensim/multiply.h"
#include "tensim/vector_functions.h"

enum { BROADCAST_TO_8_ROWS = 2 };

/* Modes are the product's, and move SrcB's counter: it is set back each time. */
static void bias_to_dst(void) {
  for (unsigned row = 0; row < TILE_ROWS; row += 8) {
    const uint32_t face = row / 16;
    TT_MOVB2D(0, face % 2 * 16, LOWER_HALF, BROADCAST_TO_8_ROWS, row);
    RELEASE(KEEP_SRC);
  }
  RELEASE(RELEASE_SRC_B);
}

static void activate_v0(void) {
  switch (job.operation) {
    case RELU: relu_of_v0(); break;
    case SIGMOID_ACTIVATION: sigmoid_of_v0(); break;
    default: tanh_of_v0(); break;
  }
}

static void activate(void) {
  VECTORS_BEGIN();
  for (unsigned vector = 0; vector < VECTORS; ++vector) {
    V_LOAD(V0, 0, DST_FP32);
    activate_v0();
    V_STORE(V0, 0, DST_FP32);
    V_NEXT();
  }
}

int main(void) {
  const struct formats formats = job.formats;
  math_set_up(&formats);
  multiply_set_up();
  vector_set_up();
  exp_set_up();
  for (unsigned block = 0; block < job.blocks; ++block) {
    WAIT_FOR_DST();
    set_dst_row(dst_row_of(block));
    bias_to_dst();
    for (unsigned k = 0; k < job.depth; ++k) {
      multiply_tiles(job.phases);
      RELEASE(RELEASE_SRC_AB);
    }
    if (job.operation != NO_ACTIVATION) activate();
    VECTORS_GIVE_DST();
  }
  return 0;
}
