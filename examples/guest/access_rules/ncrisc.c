/* NCRISC has L1, its own RAM and the tile's registers; of the coprocessor, only what the debug registers reach. */
#include "shared.h"
#include "tensim/assert.h"
#include "tensim/clock.h"

#define INSTRN_BUF_CTRL0 0xFFB120A0u
#define INSTRN_BUF_CTRL1 0xFFB120A4u

static uint32_t in_local_ram = 41;

int main(void) {
  ++in_local_ram;
  ASSERT(in_local_ram == 42);
  const uint32_t start = wall_clock();
  ASSERT(wall_clock() > start);

  l1_semaphore_wait(BRISC, 1);
  /* Pushes into thread T1: takes its FIFO for the debug bus, then raises the push bit. T1's core pushes nothing any
   * more, and waits for the semaphore. */
  REGISTER(INSTRN_BUF_CTRL1) = TT_OP_SEMPOST(t6_sem(SEM_UNPACK_SYNC));
  REGISTER(INSTRN_BUF_CTRL0) = 1u << 1;
  REGISTER(INSTRN_BUF_CTRL0) = 1u << 1 | 1u << 5;
  REGISTER(INSTRN_BUF_CTRL0) = 0;

  shared.passed[NCRISC] = 1;
  l1_semaphore_set(NCRISC, 2);
  return 0;
}
