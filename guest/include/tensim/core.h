/* Which core this is, registers, and memory that others change. */
#ifndef TENSIM_CORE_H
#define TENSIM_CORE_H

#include <stdint.h>

#include "tensim/tensix_instructions.h"

/* In the order of hardware masks; their threads are T0, T1 and T2. */
enum core_id { BRISC, TRISC0, TRISC1, TRISC2, NCRISC, CORE_COUNT };

/* The program's linker script says which core it is for, as a symbol's address. BRISC's is 0, and the compiler takes no
 * object's address for 0: the asm, which does nothing, hides from it where the number comes from. */
extern const char tensim_core[];
static inline enum core_id this_core(void) {
  uintptr_t core = (uintptr_t)tensim_core;
  __asm__("" : "+r"(core));
  return (enum core_id)core;
}

/* A register at a fixed address. */
#define REGISTER(address) (*(volatile uint32_t*)(address))

/* Variables that all programs of a tile see at the same place. Each program is linked by itself, so let there be one
 * such variable, the same struct in all of them:
 *
 *   struct shared { uint32_t go, done; };
 *   SHARED volatile struct shared shared;
 */
#define SHARED __attribute__((section(".shared")))

/* Forgets what Blackhole's L0 data cache holds, and waits for earlier stores. Wormhole has no such cache, and its cores
 * take a fence for a NOP (MemoryOrdering.md), so there is none; store_landed() waits for a store on both chips. */
static inline void fence(void) {
#if defined(TENSIM_BLACKHOLE)
  __asm__ volatile("fence" : : : "memory");
#else
  __asm__ volatile("" : : : "memory");
#endif
}

/* A word that others store to. Without the fence a Blackhole core may see its cached copy for some time. */
static inline uint32_t load_fresh(const volatile uint32_t* word) {
  fence();
  return *word;
}

static inline void wait_for(const volatile uint32_t* word, uint32_t value) {
  while (load_fresh(word) != value) {
  }
}

/* Uses a value: the core waits until the load that gives it has been answered. */
static inline void consume(uint32_t value) {
  __asm__ volatile("andi x0, %0, 0" : : "r"(value) : "memory");
}

/* Comes back when an earlier store of this core to `word` of L1 has landed: different devices take stores in any
 * order, so that a message sent elsewhere could overtake it. */
static inline void store_landed(const volatile uint32_t* word) {
  consume(*word);
}

#endif
