/* Sets up, lets the others go, brings right (one multicast for each column), and writes the product. */
#include "operand.h"
#include "tensim/reset.h"

static void write_product(unsigned x, unsigned y) {
  struct circular_buffer out = out_buffer();
  cb_wait_front(&out, 1);
  noc_write(0, (void*)cb_address(&out), noc_dram(0, PRODUCT_BANK, (y * SIDE + x) * TILE_BYTES), TILE_BYTES);
  noc_write_barrier(0);
  cb_pop_front(&out, 1);
}

int main(void) {
  const unsigned x = noc_my_x();
  struct operand right = {0, operand_buffer(RIGHT), (struct channel*)&shared.channels[RIGHT], x,
                          0, {x, 1, x, SIDE - 1}};
  clear_config();
  semaphore_init(SEM_MATH_PACK, 1, 0);
  for (unsigned number = 0; number < BUFFERS; ++number)
    cb_clear(number);
  release_cores(SOFT_RESET_SUBORDINATES);
  noc_init(0);
  for (unsigned step = 0; step < STEPS; ++step)
    bring_page(&right, noc_dram(0, RIGHT_BANK, address_of_block(x, step)), step);
  noc_atomic_barrier(0);
  write_product(x, noc_my_y());
  return 0;
}
