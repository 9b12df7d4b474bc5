/* Lets TRISC0 and TRISC1 go. */
#include "shared.h"
#include "tensim/clock.h"
#include "tensim/print.h"
#include "tensim/reset.h"

int main(void) {
  release_cores(SOFT_RESET_BIT(TRISC0) | SOFT_RESET_BIT(TRISC1));
  wait_for(&shared.done, 1);
  shared.finished_at = wall_clock();
  print("%d pushes: %d cycles, the first %d: %d\n", PUSHES, shared.all_pushes, FIRST_PUSHES, shared.first_pushes);
  return 0;
}
