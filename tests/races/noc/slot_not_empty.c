/* rule: 26 */
/* What the receiver still reads must not be written again: it says when it is done. */
#include "kernel.h"
#include "tensim/clock.h"

OPERATION first(void) {
  shared.result = shared.data[WORDS - 1];
}
OPERATION second(void) {
  noc_write(0, shared.other, receiver(shared.data), sizeof shared.other);
}
void tile_0(void) {
  fill(shared.data, VALUE);
  noc_write(0, shared.data, receiver(shared.data), sizeof shared.data);
  noc_semaphore_inc(0, SENT, 1, 0, 1);
  noc_write_barrier(0);
  wait_cycles(3000); /* it has long been taken */
  UNLESS_LESS(noc_semaphore_wait(TAKEN, 1));
  second();
  noc_write_barrier(0);
  noc_atomic_barrier(0);
}
void tile_1(void) {
  noc_semaphore_wait(SENT, 1);
  first();
  noc_semaphore_inc(0, TAKEN, 0, 0, 1);
  noc_atomic_barrier(0);
}
