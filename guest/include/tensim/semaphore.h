/* The eight semaphores of the Sync Unit. T cores see them in a window that goes past their threads' instructions:
 * nothing orders it against what they have pushed. BRISC and NCRISC have no such window. */
#ifndef TENSIM_SEMAPHORE_H
#define TENSIM_SEMAPHORE_H

#include "tensim/core.h"
#include "tensim/tensix_instructions.h"

#define SEMAPHORE_BASE 0xFFE80020u
#define SEMAPHORE(semaphore) REGISTER(SEMAPHORE_BASE + 4u * (semaphore))

/* T cores: Value; Max cannot be read. */
static inline uint32_t semaphore_read(unsigned semaphore) {
  return SEMAPHORE(semaphore);
}
/* T cores: counts up, to 15 at most. */
static inline void semaphore_post(unsigned semaphore) {
  SEMAPHORE(semaphore) = 0;
}
/* T cores: counts down, to 0 at least. */
static inline void semaphore_get(unsigned semaphore) {
  SEMAPHORE(semaphore) = 1;
}

/* Value and Max, by an instruction of the own thread (BRISC: of T0). Hardware initialises nothing. */
static inline void semaphore_init(unsigned semaphore, unsigned max, unsigned value) {
  TT_SEMINIT(max, value, t6_sem(semaphore));
}

#endif
