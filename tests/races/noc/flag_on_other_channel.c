/* rule: 30 */
/* A multicast goes on a virtual channel of its own, and may overtake writes. */
#include "kernel.h"

OPERATION first(void) {
  noc_write(0, shared.data, receiver(shared.data), sizeof shared.data);
}
OPERATION second(void) {
  shared.result = shared.data[0];
}
void tile_0(void) {
  const struct noc_area tiles = {1, 0, 1, 0};
  fill(shared.data, VALUE);
  noc_semaphore_set(SENT, 1);
  first();
  UNLESS_LESS(noc_write_barrier(0));
  noc_semaphore_set_multicast(0, SENT, tiles, NOC_NOT_TO_SELF);
  noc_write_barrier(0);
}
void tile_1(void) {
  noc_semaphore_wait(SENT, 1);
  second();
}
