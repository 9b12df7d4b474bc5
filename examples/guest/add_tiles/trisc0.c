/* Unpack. */
#include "shared.h"
#include "tensim/unpack.h"

int main(void) {
  unpack_set_up(&all_bf16, UNPACK_AS_IT_IS, TILE_DATUMS);
  for (unsigned tile = 0; tile < TILES; ++tile)
    unpack_ab(l1_address(shared.left[tile]), l1_address(shared.right[tile]));
  return 0;
}
