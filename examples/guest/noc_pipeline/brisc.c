/* Sets up, lets the others go, and then writes. */
#include "shared.h"
#include "tensim/reset.h"

int main(void) {
  clear_config();
  semaphore_init(SEM_MATH_PACK, 1, 0);
  for (unsigned number = 0; number < BUFFERS; ++number)
    cb_clear(number);
  release_cores(SOFT_RESET_SUBORDINATES);
  noc_init(0);
  struct circular_buffer sum = buffer(SUM);
  for (unsigned tile = 0; tile < TILES; ++tile) {
    cb_wait_front(&sum, 1);
    noc_write(0, (void*)cb_address(&sum), noc_dram(0, SUM_BANK, tile * TILE_BYTES), TILE_BYTES);
    noc_writes_sent(0); /* the page can be filled again */
    cb_pop_front(&sum, 1);
  }
  noc_write_barrier(0);
  return 0;
}
