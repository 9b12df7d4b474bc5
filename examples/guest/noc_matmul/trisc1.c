/* Math: products are added up in Dst. */
#include "shared.h"
#include "tensim/multiply.h"

int main(void) {
  math_set_up(&all_bf16);
  multiply_set_up();
  WAIT_FOR_DST();
  clear_dst();
  for (unsigned tile = 0; tile < STEPS * BLOCK; ++tile) {
    multiply_tiles(FIDELITY_PHASES);
    RELEASE(RELEASE_SRC_AB);
  }
  GIVE_DST();
  return 0;
}
