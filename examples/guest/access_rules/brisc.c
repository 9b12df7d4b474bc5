#include "shared.h"
#include "tensim/assert.h"
#include "tensim/clock.h"
#include "tensim/print.h"
#include "tensim/reset.h"

int main(void) {
  /* The GPRs of all threads. */
  for (unsigned thread = 0; thread < 3; ++thread)
    GPR_OF_THREAD(thread, OWN_GPR) = 100 + thread;
  for (unsigned thread = 0; thread < 3; ++thread)
    ASSERT(GPR_OF_THREAD(thread, OWN_GPR) == 100 + thread);

  /* Configuration, words only. */
  cfg_write(1, 1, 0x1234);
  ASSERT(load_fresh(&CFG(1, 1)) == 0x1234);

  /* Every thread's instruction buffer, at any time: here into threads whose cores are still in reset. */
  push_to_thread(0, TT_OP_SEMINIT(1, 0, t6_sem(SEM_UNPACK_SYNC)));
  push_to_thread(0, TT_OP_SEMINIT(15, 0, t6_sem(SEM_MATH_DONE) | t6_sem(SEM_FPU_SFPU)));
  wait_cycles(100);
  push_to_thread(1, TT_OP_SEMPOST(t6_sem(SEM_MATH_DONE)));
  push_to_thread(2, TT_OP_SEMPOST(t6_sem(SEM_MATH_DONE)));
  /* The thread becomes the owner, not BRISC. */
  push_to_thread(2, TT_OP_ATGETM(OWNER_MUTEX));
  wait_cycles(100);

  release_cores(SOFT_RESET_SUBORDINATES);
  shared.ready = 1;
  /* Where the T cores see semaphore 0, BRISC sees the PCBuf of T0: this posts nothing. */
  REGISTER(SEMAPHORE_BASE) = 0x55;
  for (unsigned thread = 1; thread < 3; ++thread)
    pc_buffer_push(thread, 0x55 + thread);
  /* Each T core waits for one more word when it is done: then the barrier lets BRISC go on. */
  for (unsigned thread = 0; thread < 3; ++thread)
    pc_buffer_barrier(thread);
  for (unsigned thread = 0; thread < 3; ++thread)
    pc_buffer_push(thread, 0);

  l1_semaphore_set(BRISC, 1);
  for (enum core_id core = TRISC0; core <= NCRISC; ++core) {
    l1_semaphore_wait(core, 2);
    ASSERT(shared.passed[core]);
  }
  shared.passed[BRISC] = 1;
  shared.finished_at = wall_clock();
  print("every core has done what it may\n");
  return 0;
}
