/* rule: 26 */
/* Data that came over the NoC is there for whoever has polled a flag behind it. */
#include "kernel.h"
#include "tensim/clock.h"

OPERATION first(void) {
  noc_write(0, shared.data, receiver(shared.data), sizeof shared.data);
}
OPERATION second(void) {
  shared.result = shared.data[0];
}
void tile_0(void) {
  fill(shared.data, VALUE);
  first();
  noc_semaphore_inc(0, SENT, 1, 0, 1);
  noc_write_barrier(0);
  noc_atomic_barrier(0);
}
void tile_1(void) {
  wait_cycles(3000); /* it has long come */
  UNLESS_LESS(noc_semaphore_wait(SENT, 1));
  second();
}
