/* rule: 30 */
/* A flag on the other NoC may overtake its data. */
#include "kernel.h"

OPERATION first(void) {
  noc_write(1, shared.data, receiver(shared.data), sizeof shared.data);
}
OPERATION second(void) {
  shared.result = shared.data[WORDS - 1];
}
void tile_0(void) {
  fill(shared.data, VALUE);
  first();
  UNLESS_LESS(noc_write_barrier(1));
  noc_semaphore_set_remote(0, SENT, 1, 0, 1);
  noc_write_barrier(0);
  noc_write_barrier(1);
}
void tile_1(void) {
  noc_semaphore_wait(SENT, 1);
  second();
}
