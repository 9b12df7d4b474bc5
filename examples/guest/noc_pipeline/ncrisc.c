/* Reads. */
#include "shared.h"

int main(void) {
  noc_init(1);
  struct circular_buffer left = buffer(LEFT);
  struct circular_buffer right = buffer(RIGHT);
  for (unsigned tile = 0; tile < TILES; ++tile) {
    cb_reserve_back(&left, 1);
    cb_reserve_back(&right, 1);
    noc_read(1, noc_dram(1, LEFT_BANK, tile * TILE_BYTES), (void*)cb_address(&left), TILE_BYTES);
    noc_read(1, noc_dram(1, RIGHT_BANK, tile * TILE_BYTES), (void*)cb_address(&right), TILE_BYTES);
    noc_read_barrier(1);
    cb_push_back(&left, 1);
    cb_push_back(&right, 1);
  }
  return 0;
}
