/* Unpack. */
#include "shared.h"

int main(void) {
  unpack_set_up();
  for (unsigned tile = 0; tile < TILES; ++tile)
    unpack_tiles(shared.left[tile], shared.right[tile]);
  return 0;
}
