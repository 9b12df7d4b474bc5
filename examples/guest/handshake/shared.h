#include "tensim/config.h"
#include "tensim/core.h"
#include "tensim/semaphore.h"
#include "tensim/sync.h"

/* A ring of three threads: each waits for what the one before it gives, works, and gives. Two pieces of work are under
 * way at most, because PACK_DONE starts at 2.
 *
 *   unpack (T0)  --UNPACK_OPERAND_SYNC-->  math (T1)  --MATH_PACK-->  pack (T2)  --PACK_DONE-->  unpack
 */
enum { ITERATIONS = 20, IN_FLIGHT = 2 };

/* The work is a count in a GPR: enough to see that nothing was done twice, or not at all. */
enum { COUNT = 20 };

struct shared {
  uint32_t finished_at;
  uint32_t ready;
  uint32_t count[3];
  uint32_t done[3];
};
SHARED volatile struct shared shared;

/* Takes one from a semaphore, waiting for it if need be. SEMWAIT only arms the wait: what must not go on has to be held
 * back by it, the SEMGET too. */
#define TAKE(semaphore)                                                      \
  do {                                                                       \
    TTI_SEMWAIT(STALL_SYNC | STALL_THCON, t6_sem(semaphore), STALL_ON_ZERO); \
    TTI_SEMGET(t6_sem(semaphore));                                           \
  } while (0)
/* Gives one when the work before it has been done: SEMPOST by itself would not wait. */
#define GIVE(semaphore)                    \
  do {                                     \
    TTI_STALLWAIT(STALL_SYNC, WAIT_THCON); \
    TTI_SEMPOST(t6_sem(semaphore));        \
  } while (0)

static inline void clear_count(void) {
  TTI_SETDMAREG(0, 0, 0, 2 * COUNT);
  TTI_SETDMAREG(0, 0, 0, 2 * COUNT + 1);
}
static inline void work(void) {
  TTI_ADDDMAREG(1, COUNT, 1, COUNT);
}

static inline void finish(unsigned thread) {
  tensix_sync();
  shared.count[thread] = gpr_read(COUNT);
  shared.done[thread] = 1;
}
