#include "tensim/noc.h"

/* Four tiles of a row: each waits for its turn, counts, and gives the turn to the next by adding 1 to its semaphore; the last gives
 * it to the first. */
enum { TILES = 4, ROUNDS = 3, ROW = 0 };

struct shared {
  uint32_t counted;          /* turns that this tile has had */
  struct noc_semaphore turn; /* turns that it has been given */
};
SHARED volatile struct shared shared;
#define TURN ((struct noc_semaphore*)&shared.turn)

/* `passed_on` of its turns are given to the next tile: all of them, if it does what it should. */
static inline int take_turns(unsigned passed_on) {
  noc_init(0);
  const unsigned x = noc_my_x();
  const unsigned first = x == 0 ? 1 : 0; /* nobody has to give tile 0 its first turn */
  for (unsigned round = 0; round < ROUNDS; ++round) {
    noc_semaphore_wait_min(TURN, round + 1 - first);
    ++shared.counted;
    if (round < passed_on) noc_semaphore_inc(0, TURN, (x + 1) % TILES, ROW, 1);
  }
  noc_atomic_barrier(0);
  return 0;
}
