/* Time, in cycles. */
#ifndef TENSIM_CLOCK_H
#define TENSIM_CLOCK_H

#include "tensim/core.h"
#include "tensim/tensix_instructions.h"

#define WALL_CLOCK_L 0xFFB121F0u
#define WALL_CLOCK_H 0xFFB121F8u

/* The tile's clock, which all cores share. */
static inline uint32_t wall_clock(void) {
  const uint32_t low = REGISTER(WALL_CLOCK_L);
  consume(low);
  return low;
}
/* Reading the low half keeps the high half that belongs to it. */
static inline uint64_t wall_clock_64(void) {
  const uint32_t low = wall_clock();
  return (uint64_t)REGISTER(WALL_CLOCK_H) << 32 | low;
}

static inline void wait_cycles(uint32_t cycles) {
  const uint32_t start = wall_clock();
  while (wall_clock() - start < cycles) {
  }
}

#if defined(TENSIM_BLACKHOLE)
/* The core's own counters; Wormhole's cores have no CSRs. Encoded by hand so that -march=rv32im is enough. */
static inline uint32_t mcycle(void) {
  uint32_t cycles;
  __asm__ volatile(".insn i 0x73, 2, %0, x0, -1280" : "=r"(cycles) : : "memory"); /* csrr mcycle (0xb00) */
  return cycles;
}
static inline uint32_t minstret(void) {
  uint32_t instructions;
  __asm__ volatile(".insn i 0x73, 2, %0, x0, -1278" : "=r"(instructions) : : "memory"); /* csrr minstret (0xb02) */
  return instructions;
}
#endif

#endif
