/* Left: one multicast for each row. */
#include "operand.h"

int main(void) {
  const unsigned y = noc_my_y();
  struct operand left = {1, operand_buffer(LEFT), (struct channel*)&shared.channels[LEFT], 0, y, {1, y, SIDE - 1, y}};
  noc_init(1);
  for (unsigned step = 0; step < STEPS; ++step)
    bring_page(&left, noc_dram(1, LEFT_BANK, address_of_block(y, step)), step);
  noc_write_barrier(1);
  noc_atomic_barrier(1);
  return 0;
}
