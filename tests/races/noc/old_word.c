/* rule: 31 */
/* The old word of an atomic is there after its barrier. */
#include "kernel.h"

OPERATION first(void) {
  noc_add_to(0, receiver(&shared.sent.value), 1, shared.other);
}
OPERATION second(void) {
  shared.result = VALUE + shared.other[0];
}
void tile_0(void) {
  first();
  UNLESS_LESS(noc_atomic_barrier(0));
  second();
  noc_atomic_barrier(0);
}
