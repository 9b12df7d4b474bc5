/* rule: 30 */
/* A flag that is multicast does not overtake data that is; one that is written may. */
#include "kernel.h"

static const struct noc_area tiles = {1, 0, 2, 0};

OPERATION first(void) {
  noc_multicast(0, shared.data, tiles, shared.data, sizeof shared.data, NOC_NOT_TO_SELF);
}
OPERATION second(void) {
  shared.result = shared.data[WORDS / 2];
}
void tile_0(void) {
  fill(shared.data, VALUE);
  noc_semaphore_set(SENT, 1);
  first();
#ifdef LESS
  noc_write(0, SENT, noc_tile(1, 0, SENT), sizeof SENT->value);
  noc_write(0, SENT, noc_tile(2, 0, SENT), sizeof SENT->value);
#else
  noc_semaphore_set_multicast(0, SENT, tiles, NOC_NOT_TO_SELF);
#endif
  noc_write_barrier(0);
}
void tile_1(void) {
  noc_semaphore_wait(SENT, 1);
  second();
}
void tile_2(void) {
  tile_1();
}
