/* Every tile adds 1 to one word of tile (0, 0), a thousand times, and keeps what the word was before. */
#include "tensim/noc.h"

enum { TIMES = 1000 };

struct shared {
  struct noc_semaphore count; /* of tile (0, 0) */
  uint32_t before[TIMES];
};
SHARED volatile struct shared shared;

int main(void) {
  noc_init(0);
  for (unsigned i = 0; i < TIMES; ++i)
    noc_add_to(0, noc_tile(0, 0, &shared.count), 1, &shared.before[i]);
  noc_atomic_barrier(0);
  return 0;
}
