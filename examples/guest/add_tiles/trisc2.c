/* Pack. */
#include "shared.h"

int main(void) {
  pack_set_up();
  for (unsigned tile = 0; tile < TILES; ++tile)
    pack_tile(shared.out[tile], dst_row_of(tile));
  tensix_sync();
  shared.packed = 1;
  return 0;
}
