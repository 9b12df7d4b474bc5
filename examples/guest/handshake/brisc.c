/* Lets the T cores go and waits for them. */
#include "shared.h"
#include "tensim/assert.h"
#include "tensim/clock.h"
#include "tensim/print.h"
#include "tensim/reset.h"

int main(void) {
  release_cores(SOFT_RESET_TRISCS);
  for (unsigned thread = 0; thread < 3; ++thread) {
    wait_for(&shared.done[thread], 1);
    ASSERT(shared.count[thread] == ITERATIONS);
  }
  shared.finished_at = wall_clock();
  print("three threads, %d iterations each\n", ITERATIONS);
  return 0;
}
