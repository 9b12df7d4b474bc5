/* How an instruction gets from a core to the coprocessor. The generated tensix_instructions.h uses these macros. */
#ifndef TENSIM_PUSH_H
#define TENSIM_PUSH_H

#include <stdint.h>

/* The own thread's instruction buffer on a T core; on BRISC, the one of thread T0. NCRISC has none. */
#define INSTRN_BUF_BASE 0xFFE40000u
/* BRISC: the buffers of threads T0, T1 and T2. */
#define INSTRN_BUF_STRIDE 0x10000u

/* Zero; does not compile if `value` is a constant outside lowest .. highest. Usable wherever a constant is. */
#define TENSIM_CHECKED(value, lowest, highest)                                                                    \
  (0u * (uint32_t)__builtin_choose_expr(__builtin_constant_p(value),                                              \
                                        sizeof(char[(unsigned long long)((long long)(value) - (lowest)) <=        \
                                                            (unsigned long long)((long long)(highest) - (lowest)) \
                                                        ? 1                                                       \
                                                        : -1]),                                                   \
                                        1))
#define TENSIM_MASK(width) ((1u << (width)) - 1u)

/* An operand in its place: `width` bits from bit `low` on. */
#define TENSIM_PUT(value, width, low) (((uint32_t)(value) & TENSIM_MASK(width)) << (low))
#define TENSIM_UNSIGNED(value, width, low) \
  (TENSIM_PUT(value, width, low) + TENSIM_CHECKED(value, 0, (long long)TENSIM_MASK(width)))
#define TENSIM_SIGNED(value, width, low) \
  (TENSIM_PUT(value, width, low) + TENSIM_CHECKED(value, -(1ll << ((width) - 1)), (long long)TENSIM_MASK(width)))
/* And one whose highest bit stands elsewhere. */
#define TENSIM_SPLIT(value, width, low, top)                                          \
  (TENSIM_PUT(value, width, low) + TENSIM_PUT((uint32_t)(value) >> (width), 1, top) + \
   TENSIM_CHECKED(value, 0, (long long)TENSIM_MASK((width) + 1)))

/* In a RISC-V stream a Tensix word stands rotated left by two; cores that meet one store it to INSTRN_BUF_BASE. */
#define TENSIM_ROTATED(word) (((word) << 2) | ((word) >> 30))
#define TENSIM_TTINSN(word) __asm__ volatile(".word %0" : : "i"((int32_t)TENSIM_ROTATED((uint32_t)(word))) : "memory")

#define TENSIM_PUSH(word) tensim_push(word)
static inline void tensim_push(uint32_t word) {
  __asm__ volatile("" : : : "memory"); /* what the instruction reads in memory is stored first */
  *(volatile uint32_t*)INSTRN_BUF_BASE = word;
}

/* BRISC only: into any thread, behind its MOP Expander. A word that the T core pushes in the same cycle is lost, so
 * push while the T core does not. */
static inline void push_to_thread(unsigned thread, uint32_t word) {
  __asm__ volatile("" : : : "memory");
  *(volatile uint32_t*)(INSTRN_BUF_BASE + thread * INSTRN_BUF_STRIDE) = word;
}

#endif
