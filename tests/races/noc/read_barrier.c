/* rule: 28 */
/* What a read fetches is there after its barrier. */
#include "kernel.h"

OPERATION first(void) {
  noc_read(0, receiver(shared.data), shared.other, sizeof shared.other);
}
OPERATION second(void) {
  shared.result = VALUE + shared.other[WORDS - 1];
}
void tile_0(void) {
  first();
  UNLESS_LESS(noc_read_barrier(0));
  second();
  noc_read_barrier(0);
}
