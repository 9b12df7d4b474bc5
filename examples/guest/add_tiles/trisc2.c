/* Pack. */
#include "shared.h"
#include "tensim/pack.h"

int main(void) {
  pack_set_up(&all_bf16);
  for (unsigned tile = 0; tile < TILES; ++tile)
    pack_tiles(l1_address(shared.out[tile]), dst_row_of(tile), 1);
  tensix_sync();
  shared.packed = 1;
  return 0;
}
