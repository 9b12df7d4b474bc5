/* Lets the T cores do the job. */
#include "job.h"
#include "tensim/clock.h"
#include "tensim/reset.h"

/* So long Blackhole's cores clear their local RAM after the reset of the tile, which is no part of the job. */
enum { RAM_CLEARING_CYCLES = 2048 };

int main(void) {
  if (!job.config_is_zero) clear_config();
  semaphore_init(SEM_MATH_PACK, job.halves, 0); /* long done when a T core gets to its first instruction */
  semaphore_init(SEM_UNPACK_SYNC, 2, 0);
  job.packed = 0;
  wait_cycles(RAM_CLEARING_CYCLES);
  job.start = wall_clock();
  release_cores(SOFT_RESET_TRISCS);
  wait_for(&job.packed, 1);
  return 0;
}
