/* rule: 29 */
/* A write to its own tile has landed when it is acknowledged. */
#include "kernel.h"

OPERATION first(void) {
  noc_write(0, shared.data, noc_tile(0, 0, shared.other), sizeof shared.data);
}
OPERATION second(void) {
  shared.result = shared.other[WORDS - 1];
}
void tile_0(void) {
  fill(shared.data, VALUE);
  first();
  UNLESS_LESS(noc_write_barrier(0));
  second();
  noc_write_barrier(0);
}
