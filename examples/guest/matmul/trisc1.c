/* Math. */
#include "shared.h"
#include "tensim/multiply.h"

int main(void) {
  math_set_up(&all_bf16);
  multiply_set_up();
  WAIT_FOR_DST();
  clear_dst();
  multiply_tiles(fidelity_phases());
  RELEASE(RELEASE_SRC_AB);
  GIVE_DST();
  return 0;
}
