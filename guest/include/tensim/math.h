/* T1: the Matrix Unit's modes, and its side of the handshake on Dst. */
#ifndef TENSIM_MATH_H
#define TENSIM_MATH_H

#include "tensim/tile.h"

static inline void math_set_up(const struct formats* formats) {
  const uint32_t fp32 = formats->dst_is_32_bits && !formats->integers ? 1u << 29 : 0;
  const uint32_t integers = formats->integers ? 1u << 31 : 0;
  cfg_write(0, CFG_ALU, formats->src << 17 | formats->src << 21 | formats->dst << 25 | fp32 | integers);
  TTI_STALLWAIT(STALL_MATH, WAIT_TRISC_CFG);
  TTI_SETRWC(0, 0, 0, 0, 0, 0xF); /* all counters, the fidelity phase too */
}

/* What an address mode adds to the counters of SrcA and SrcB, modulo 64 rows. */
#define MATRIX_MODE(mode, a, b) TT_SETC16(THREAD_MATRIX_MODE + (mode) * MATRIX_MODE_STEP, (a) | (b) << 8)
/* And what it does to the fidelity phase. */
enum { PHASE_STAYS = 0, PHASE_NEXT = 1 << 13, PHASE_FIRST = 1 << 15 };
#define MATRIX_PHASE_MODE(mode, phase) TTI_SETC16(THREAD_MATRIX_DST_MODE + (mode), phase)

/* Gives banks back (RELEASE_), and starts all counters and the fidelity phase again. */
#define RELEASE(src) TTI_SETRWC(src, 0, 0, 0, 0, 0xF)

/* The row of Dst that instructions of math count from. */
enum { THREAD_DST_OFFSET = 1 };
static inline void set_dst_row(uint32_t row) {
  TT_SETC16(THREAD_DST_OFFSET, row);
}

/* Rows become undefined, which adds as zero and is the least of all. */
static inline void clear_dst(void) {
#if defined(TENSIM_WORMHOLE)
  TTI_ZEROACC(3, 0, 0);
#else
  TTI_ZEROACC(3, 0, 0, 0, 0);
#endif
}
static inline void clear_dst_half(unsigned half) {
#if defined(TENSIM_WORMHOLE)
  TT_ZEROACC(2, 0, half);
#else
  TT_ZEROACC(2, 0, 0, 0, half);
#endif
}

/* Math may write to Dst, and has written to it. */
#define WAIT_FOR_DST() TTI_SEMWAIT(STALL_MATH | STALL_SYNC, t6_sem(SEM_MATH_PACK), STALL_ON_MAX)
#define GIVE_DST()                        \
  do {                                    \
    TTI_STALLWAIT(STALL_SYNC, WAIT_MATH); \
    TTI_SEMPOST(t6_sem(SEM_MATH_PACK));   \
  } while (0)

#endif
