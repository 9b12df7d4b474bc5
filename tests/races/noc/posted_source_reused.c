/* rule: 29a */
/* That of a posted one, too: its own counter says so. */
#include "kernel.h"

OPERATION first(void) {
  noc_write_posted(0, shared.data, receiver(shared.data), sizeof shared.data);
}
OPERATION second(void) {
  shared.data[0] = 0;
}
void tile_0(void) {
  fill(shared.data, VALUE);
  first();
  UNLESS_LESS(noc_writes_sent(0));
  second();
}
