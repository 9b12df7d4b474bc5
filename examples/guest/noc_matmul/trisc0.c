/* Unpack: left tiles to SrcB, right ones to SrcA. */
#include "shared.h"
#include "tensim/unpack.h"

int main(void) {
  struct circular_buffer left = operand_buffer(LEFT);
  struct circular_buffer right = operand_buffer(RIGHT);
  unpack_set_up(&all_bf16, UNPACK_AS_IT_IS, TILE_DATUMS);
  for (unsigned step = 0; step < STEPS; ++step) {
    cb_wait_front(&left, 1);
    cb_wait_front(&right, 1);
    for (unsigned tile = 0; tile < BLOCK; ++tile)
      unpack_ab(cb_address(&right) + tile * TILE_BYTES, cb_address(&left) + tile * TILE_BYTES);
    tensix_sync(); /* all have been read */
    cb_pop_front(&left, 1);
    cb_pop_front(&right, 1);
  }
  return 0;
}
