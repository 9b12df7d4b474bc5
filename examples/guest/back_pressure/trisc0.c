/* Pushes on while its thread waits for a semaphore: when nothing takes the words any more, the core stands still. */
#include "shared.h"
#include "tensim/assert.h"
#include "tensim/clock.h"
#include "tensim/semaphore.h"
#include "tensim/sync.h"

int main(void) {
  semaphore_init(SEM_UNPACK_SYNC, 1, 0);
  TTI_SEMWAIT(STALL_THREAD, t6_sem(SEM_UNPACK_SYNC), STALL_ON_ZERO);
  shared.armed = 1;
  const uint32_t start = wall_clock();
  for (int i = 0; i < FIRST_PUSHES; ++i)
    TT_NOP;
  const uint32_t first = wall_clock();
  for (int i = FIRST_PUSHES; i < PUSHES; ++i)
    TT_NOP;
  const uint32_t all = wall_clock();
  tensix_sync();
  shared.drained_at = wall_clock();
  shared.first_pushes = first - start;
  shared.all_pushes = all - start;
  ASSERT(shared.first_pushes < 100);
  ASSERT(shared.all_pushes > LATE - 100);
  shared.done = 1;
  return 0;
}
