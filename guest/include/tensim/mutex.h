/* Mutexes belong to threads, not to cores: a T core that guards something of its own has to wait until its thread has
 * the mutex, and release it only when its own accesses have landed. BRISC's pushes act for thread T0. */
#ifndef TENSIM_MUTEX_H
#define TENSIM_MUTEX_H

#include "tensim/sync.h"
#include "tensim/tensix_instructions.h"

/* For what the thread does: later instructions of the thread have the mutex. */
#define mutex_acquire(mutex) TTI_ATGETM(mutex)
#define mutex_release(mutex) TTI_ATRELM(mutex)

/* For what the T core itself does to GPRs and configuration. */
#define mutex_acquire_for_core(mutex) \
  do {                                \
    TTI_ATGETM(mutex);                \
    tensix_sync();                    \
  } while (0)
#define mutex_release_for_core(mutex)          \
  do {                                         \
    TTI_STALLWAIT(STALL_SYNC, WAIT_TRISC_CFG); \
    TTI_ATRELM(mutex);                         \
  } while (0)

#endif
