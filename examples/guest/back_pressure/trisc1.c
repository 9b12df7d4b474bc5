/* Posts the semaphore late, through its window: no instruction of T1 is needed. */
#include "shared.h"
#include "tensim/clock.h"
#include "tensim/semaphore.h"

int main(void) {
  wait_for(&shared.armed, 1);
  wait_cycles(LATE);
  shared.posted_at = wall_clock();
  semaphore_post(SEM_UNPACK_SYNC);
  return 0;
}
