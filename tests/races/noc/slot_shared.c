/* rule: 30 */
/* Two tiles that write to one place have to take turns, or a place each. */
#include "kernel.h"

static struct noc_place slot(unsigned sender) {
#ifdef LESS
  sender = 0;
#endif
  return noc_tile(2, 0, &shared.data[4 * sender]);
}
OPERATION first(void) {
  noc_write(0, &shared.other[0], slot(0), sizeof shared.other[0]);
}
OPERATION second(void) {
  noc_write(0, &shared.other[4], slot(1), sizeof shared.other[4]);
}
void tile_0(void) {
  fill(shared.other, VALUE);
  first();
  noc_write_barrier(0);
}
void tile_1(void) {
  fill(shared.other, VALUE);
  second();
  noc_write_barrier(0);
}
