/* Waiting for the coprocessor, and the PCBufs from BRISC to the T cores. */
#ifndef TENSIM_SYNC_H
#define TENSIM_SYNC_H

#include "tensim/core.h"

#define PC_BUF_BASE 0xFFE80000u
#define PC_BUF_STRIDE 0x10000u

/* The store keeps the load behind the pushes before it; the load is answered when the wait is over; using its value
 * holds the core until then, and keeps the next load from this window from starting too early, which hardware does not
 * stand. */
static inline void tensim_ttsync(uint32_t address) {
  uint32_t answer;
  __asm__ volatile(
      "sw x0, 0(%1)\n\t"
      "lw %0, 0(%1)\n\t"
      "andi %0, %0, 0"
      : "=&r"(answer)
      : "r"(address)
      : "memory");
}

/* T cores: until the own thread has no instruction in flight. */
static inline void tensix_sync(void) {
  tensim_ttsync(PC_BUF_BASE + 4);
}
/* T cores: until no MOP is queued or being expanded, so that the expander may be configured. */
static inline void mop_sync(void) {
  tensim_ttsync(PC_BUF_BASE + 8);
}

/* BRISC: sends a word to the T core of `thread`; waits while 16 are unread. */
static inline void pc_buffer_push(unsigned thread, uint32_t word) {
  REGISTER(PC_BUF_BASE + thread * PC_BUF_STRIDE) = word;
}
/* BRISC: until that T core has read everything, waits for more, and its thread is idle. */
static inline void pc_buffer_barrier(unsigned thread) {
  consume(REGISTER(PC_BUF_BASE + thread * PC_BUF_STRIDE));
}
/* T cores: the next word from BRISC; waits for it. */
static inline uint32_t pc_buffer_pop(void) {
  const uint32_t word = REGISTER(PC_BUF_BASE);
  consume(word);
  return word;
}

#endif
