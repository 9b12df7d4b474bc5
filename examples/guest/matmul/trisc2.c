/* Pack. */
#include "shared.h"
#include "tensim/pack.h"

int main(void) {
  pack_set_up(&all_bf16);
  pack_tiles(l1_address(shared.out), 0, 1);
  tensix_sync();
  shared.packed = 1;
  return 0;
}
