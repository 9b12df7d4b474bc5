/* Holding cores in reset, letting them go, and where they start. The registers have no atomic updates: one core at a
 * time. A program linked with the scripts of guest/ld starts where its core does anyway. */
#ifndef TENSIM_RESET_H
#define TENSIM_RESET_H

#include "tensim/config.h"
#include "tensim/core.h"

#define SOFT_RESET_0 0xFFB121B0u

/* The bit of a core: B is 11, T0 to T2 are 12 to 14, NC is 18. */
#define SOFT_RESET_BIT(core) ((core) == NCRISC ? 1u << 18 : 1u << (11 + (core)))
#define SOFT_RESET_TRISCS (1u << 12 | 1u << 13 | 1u << 14)
#define SOFT_RESET_SUBORDINATES (SOFT_RESET_TRISCS | 1u << 18) /* all but BRISC */

/* `bits` of SOFT_RESET_BIT(). */
static inline void release_cores(uint32_t bits) {
  REGISTER(SOFT_RESET_0) &= ~bits;
}
static inline void hold_cores(uint32_t bits) {
  REGISTER(SOFT_RESET_0) |= bits;
}

#if defined(TENSIM_BLACKHOLE)
/* Where a core other than BRISC starts when it is next let go. On Wormhole these are configuration fields. */
static inline void set_reset_pc(enum core_id core, uint32_t pc) {
  if (core == NCRISC) {
    REGISTER(0xFFB12238u) = pc;
    REGISTER(0xFFB1223Cu) = 1;
  } else {
    REGISTER(0xFFB12228u + 4u * ((uint32_t)core - TRISC0)) = pc;
    REGISTER(0xFFB12234u) |= 1u << (core - TRISC0);
  }
}
#endif

#endif
