/* Lets T0 and T2 count in the same words of configuration, and looks at what is left. */
#include "shared.h"
#include "tensim/assert.h"
#include "tensim/clock.h"
#include "tensim/print.h"
#include "tensim/reset.h"

int main(void) {
  cfg_write(0, ALU_FORMAT_SPEC, 0);
  cfg_write(0, OTHER_WORD, 0);
  release_cores(SOFT_RESET_BIT(TRISC0) | SOFT_RESET_BIT(TRISC2));
  shared.go = 1;
  wait_for(&shared.done[0], 1);
  wait_for(&shared.done[2], 1);
  shared.guarded = cfg_read(0, ALU_FORMAT_SPEC);
  shared.unguarded = cfg_read(0, OTHER_WORD);
  ASSERT(shared.guarded == (UPDATES << 16 | UPDATES));
  shared.finished_at = wall_clock();
  print("guarded: T0 %d, T2 %d of %d updates\n", shared.guarded & 0xFFFF, shared.guarded >> 16, UPDATES);
  print("unguarded: T0 %d, T2 %d\n", shared.unguarded & 0xFFFF, shared.unguarded >> 16);
  return 0;
}
