/* Unpack. */
#include "shared.h"
#include "tensim/unpack.h"

int main(void) {
  struct circular_buffer left = buffer(LEFT);
  struct circular_buffer right = buffer(RIGHT);
  unpack_set_up(&all_bf16, UNPACK_AS_IT_IS, TILE_DATUMS);
  for (unsigned tile = 0; tile < TILES; ++tile) {
    cb_wait_front(&left, 1);
    cb_wait_front(&right, 1);
    unpack_ab(cb_address(&left), cb_address(&right));
    tensix_sync(); /* both have been read */
    cb_pop_front(&left, 1);
    cb_pop_front(&right, 1);
  }
  return 0;
}
