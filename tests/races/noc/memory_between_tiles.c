/* rule: 30 */
/* Memory that one tile has written is read by another when the write is acknowledged. */
#include "kernel.h"

OPERATION first(void) {
  noc_write(0, shared.data, noc_dram(0, 0, 0x1000), sizeof shared.data);
}
OPERATION second(void) {
  noc_read(0, noc_dram(0, 0, 0x1000), shared.other, sizeof shared.other);
}
void tile_0(void) {
  fill(shared.data, VALUE);
  first();
  UNLESS_LESS(noc_write_barrier(0));
  noc_semaphore_inc(0, SENT, 1, 0, 1);
  noc_write_barrier(0);
  noc_atomic_barrier(0);
}
void tile_1(void) {
  noc_semaphore_wait(SENT, 1);
  second();
  noc_read_barrier(0);
  shared.result = shared.other[0];
}
