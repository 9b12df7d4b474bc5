/* Math: a column of tiles, product plus bias, and a function of it, without leaving Dst. The first row of the bias is
 * where sums begin. */
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

static void activate(void) {
  switch (job.operation) {
    case RELU: return change_vectors(V0, relu_of_v0, DST_FP32);
    case SIGMOID_ACTIVATION: return change_vectors(V0, sigmoid_of_v0, DST_FP32);
    case TANH_ACTIVATION: return change_vectors(V0, tanh_of_v0, DST_FP32);
    default: return;
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
    activate();
    VECTORS_GIVE_DST();
  }
  return 0;
}
