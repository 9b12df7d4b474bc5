/* rule: 29a */
/* The source of a write may be changed when it has been sent. */
#include "kernel.h"

OPERATION first(void) {
  noc_write(0, shared.data, receiver(shared.data), sizeof shared.data);
}
OPERATION second(void) {
  shared.data[WORDS - 1] = 0;
}
void tile_0(void) {
  fill(shared.data, VALUE);
  first();
  UNLESS_LESS(noc_writes_sent(0));
  second();
  noc_write_barrier(0);
}
