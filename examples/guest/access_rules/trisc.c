/* The same program for the three T cores. */
#include "shared.h"
#include "tensim/assert.h"
#include "tensim/clock.h"
#include "tensim/mailbox.h"

static void check_owner(unsigned thread) {
  if (thread == 0) {
    /* T0 gets the mutex only when thread T2 has released it. */
    TTI_ATGETM(OWNER_MUTEX);
    tensix_sync();
    ASSERT(load_fresh(&shared.about_to_release) == 1);
    TTI_ATRELM(OWNER_MUTEX);
  } else if (thread == 2) {
    wait_cycles(500);
    shared.about_to_release = 1;
    store_landed(&shared.about_to_release);
    TTI_ATRELM(OWNER_MUTEX);
  }
}

int main(void) {
  const enum core_id core = this_core();
  const unsigned thread = core - TRISC0;
  wait_for(&shared.ready, 1);

  /* Its own thread's GPRs and nobody else's: the window repeats every 256 bytes. */
  ASSERT(gpr_read(OWN_GPR) == 100 + thread);
  ASSERT(gpr_read(64 + OWN_GPR) == 100 + thread);

  /* Its own instruction buffer, by a store and by .ttinsn. */
  TTI_NOP;
  TT_NOP;
  tensix_sync();

  /* The semaphores, one state for all: two posts of BRISC's, and none by its store of 0x55. */
  ASSERT(semaphore_read(SEM_MATH_DONE) == 2);
  ASSERT(semaphore_read(SEM_FPU_SFPU) == 0);
  ASSERT(pc_buffer_pop() == 0x55 + thread);

  /* Its own MOP Expander's configuration, to write. */
  REGISTER(0xFFB80000u) = 1;
  mop_sync();

  /* Configuration, mailboxes (to itself, too), the clock. */
  ASSERT(cfg_read(1, 1) == 0x1234);
  mailbox_send(core, 7);
  ASSERT(mailbox_receive(core) == 7);

  check_owner(thread);
  tensix_sync();
  (void)pc_buffer_pop();
  l1_semaphore_wait(BRISC, 1);
  while (thread == 1 && semaphore_read(SEM_UNPACK_SYNC) == 0) {
    /* until NCRISC has pushed its SEMPOST */
  }
  shared.passed[core] = 1;
  l1_semaphore_set(core, 2);
  return 0;
}
