#include "tensim/config.h"
#include "tensim/core.h"
#include "tensim/semaphore.h"
#include "tensim/sync.h"

/* Which core reaches what. Each core tries what it may do; forbidden/ has a program for each thing it may not. */
enum { OWN_GPR = 5, OWNER_MUTEX = MUTEX_PACK0 };

struct shared {
  uint32_t finished_at;
  uint32_t ready;            /* BRISC has prepared what the others look at */
  uint32_t about_to_release; /* T2's core is about to push ATRELM */
  uint32_t passed[CORE_COUNT];
  uint32_t l1_semaphore[4 * CORE_COUNT]; /* 16 bytes each */
};
SHARED volatile struct shared shared;

/* A semaphore in software is a word of L1: set by a store, waited for by loads; every core can. */
static inline void l1_semaphore_set(enum core_id core, uint32_t value) {
  shared.l1_semaphore[4 * core] = value;
}
static inline void l1_semaphore_wait(enum core_id core, uint32_t value) {
  wait_for(&shared.l1_semaphore[4 * core], value);
}
