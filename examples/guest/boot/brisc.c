/* Boots the tile as firmware does, gives the other four cores a quarter of a sum each, and adds up. */
#include "shared.h"
#include "tensim/assert.h"
#include "tensim/clock.h"
#include "tensim/print.h"
#include "tensim/reset.h"
#include "tensim/semaphore.h"

/* Dst, the Vector Unit's lanes and the semaphores are as they were left: nothing but this initialises them. BRISC's
 * instructions go to thread T0. */
static void initialise_coprocessor(void) {
#if defined(TENSIM_WORMHOLE)
  TTI_ZEROACC(3, 0, 0); /* all of Dst */
#else
  TTI_ZEROACC(3, 0, 0, 0, 0);
#endif
  TTI_SFPENCC(3, 10); /* all lanes on */
  TTI_NOP;
  semaphore_init(SEM_MATH_PACK, 1, 0);
  semaphore_init(SEM_UNPACK_TO_DEST, 1, 0);
  semaphore_init(SEM_PACK_DONE, 1, 0);
  semaphore_init(SEM_MATH_DONE, 1, 0);
}

int main(void) {
  initialise_coprocessor();
  for (uint32_t i = 0; i < NUMBERS; ++i)
    shared.numbers[i] = i + 1;
  for (enum core_id core = TRISC0; core <= NCRISC; ++core)
    shared.subordinate_sync[core] = GO;
  store_landed(&shared.subordinate_sync[NCRISC]); /* stores to L1 land in order */
  release_cores(SOFT_RESET_SUBORDINATES);
  for (enum core_id core = TRISC0; core <= NCRISC; ++core) {
    wait_for(&shared.subordinate_sync[core], DONE);
    shared.total += shared.sum[core];
  }
  ASSERT(shared.total == NUMBERS * (NUMBERS + 1) / 2);
  shared.finished_at = wall_clock();
  print("1 + ... + %d = %d\n", NUMBERS, shared.total);
  return 0;
}
