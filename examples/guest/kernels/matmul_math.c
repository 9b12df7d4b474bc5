/* Math for a product of matrices of tiles: a row of the result in each half of Dst. */
#include "job.h"
#include "tensim/multiply.h"

static inline void multiply_row(uint32_t dst_row) {
  for (unsigned k = 0; k < job.depth; ++k) {
    for (unsigned column = 0; column < job.tiles; ++column) {
      set_dst_row(dst_row + column * TILE_ROWS);
      multiply_tiles(job.phases);
      RELEASE(RELEASE_SRC_A);
    }
    RELEASE(RELEASE_SRC_B);
  }
}

int main(void) {
  const struct formats formats = job.formats;
  math_set_up(&formats);
  multiply_set_up();
  for (unsigned row = 0; row < job.blocks; ++row) {
    WAIT_FOR_DST();
    clear_dst_half(row % job.halves);
    multiply_row(dst_row_of(row));
    GIVE_DST();
  }
  return 0;
}
