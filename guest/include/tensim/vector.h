/* T1: the Vector Unit on tiles in Dst of 32 bits. A vector is 32 datums, the even or the odd columns of four rows; a
 * tile is 32 of them. V0 to V7 are LRegs. */
#ifndef TENSIM_VECTOR_H
#define TENSIM_VECTOR_H

#include "tensim/copy.h"

enum { V0, V1, V2, V3, V4, V5, V6, V7, V_ZERO = 9, V_ONE = 10, V_MINUS_ONE = 11, V_A, V_B, V_C, VECTOR_LANES = 15 };
enum { VECTORS = 32, VECTOR_ROWS = 2 }; /* of a tile; from one to the next, by address */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Behind what takes two cycles. Blackhole holds readers that its interlock sees; Wormhole holds nobody. */
#if defined(TENSIM_WORMHOLE)
#define V_SETTLE() TTI_SFPNOP
#else
#define V_SETTLE() \
  do {             \
  } while (0)
#endif

/* How rows of Dst are taken: as FP32, or as 32 bits. */
enum { DST_FP32 = 3, DST_INT32 = 4 };
#define V_LOAD(v, row, format) TTI_SFPLOAD(v, row, format, 0)
#define V_STORE(v, row, format) TTI_SFPSTORE(v, row, format, 0)
#define V_NEXT() TTI_INCRWC(0, VECTOR_ROWS, 0, 0)

/* Constants: 32 bits; the upper half of FP32; the lower one of an integer. */
enum { V_UPPER_IS_BF16 = 0, V_LOWER_IS_UNSIGNED = 2, V_UPPER = 8, V_LOWER = 10 };
#define V_SET(v, bits)                                   \
  do {                                                   \
    TTI_SFPLOADI(v, (uint32_t)(bits) >> 16, V_UPPER);    \
    TTI_SFPLOADI(v, (uint32_t)(bits) & 0xFFFF, V_LOWER); \
  } while (0)
#define V_SET_BF16(v, bits) TTI_SFPLOADI(v, bits, V_UPPER_IS_BF16)
#define V_SET_SMALL(v, number) TTI_SFPLOADI(v, number, V_LOWER_IS_UNSIGNED)
/* V_A, V_B, V_C, by way of V0. */
#define V_SET_CONSTANT(v, bits) \
  do {                          \
    V_SET(V0, bits);            \
    TTI_SFPCONFIG(v, 0, 0);     \
  } while (0)

/* d = a * b + c, and d = d * or + a number of BF16. */
#define V_MAD(d, a, b, c)      \
  do {                         \
    TTI_SFPMAD(d, a, b, c, 0); \
    V_SETTLE();                \
  } while (0)
#define V_MUL(d, a, b) V_MAD(d, a, b, V_ZERO)
#define V_ADD(d, a, b) V_MAD(d, a, V_ONE, b)
#define V_MUL_BF16(d, bits)  \
  do {                       \
    TTI_SFPMULI(d, bits, 0); \
    V_SETTLE();              \
  } while (0)
enum { BF16_HALF = 0x3F00, BF16_MINUS_HALF = 0xBF00, BF16_ONE = 0x3F80, BF16_MINUS_TWO = 0xC000 };

#define V_COPY(d, c) TTI_SFPMOV(d, c, 0)
#define V_NEGATE(d, c) TTI_SFPMOV(d, c, 1)
#define V_MAGNITUDE(d, c) TTI_SFPSETSGN(d, c, 0, 1)
#define V_MAKE_NEGATIVE(d) TTI_SFPSETSGN(d, d, 1, 1)
/* d keeps its sign. */
#define V_TAKE_MAGNITUDE(d, c) TTI_SFPSETSGN(d, c, 0, 0)

/* Integers: d = d + c, c - d, c + number. Blackhole's interlock does not see d. */
#define V_INTEGER_ADD(d, c) TTI_SFPIADD(d, c, 0, 4)
#define V_INTEGER_SUBTRACT_FROM(d, c) TTI_SFPIADD(d, c, 0, 6)
#define V_INTEGER_ADD_NUMBER(d, c, number) TTI_SFPIADD(d, c, (number) & 0xFFF, 5)
#define V_SHIFT(d, c) TTI_SFPSHFT(d, c, 0, 0) /* left by c; right if that is negative */
#define V_SHIFT_NUMBER(d, number) TTI_SFPSHFT(d, 0, (number) & 0xFFF, 1)
#if defined(TENSIM_WORMHOLE)
#define V_AND(d, c) TTI_SFPAND(d, c)
#define V_OR(d, c) TTI_SFPOR(d, c)
#else
#define V_AND(d, c) TTI_SFPAND(d, 0, c, 0)
#define V_OR(d, c) TTI_SFPOR(d, 0, c, 0)
#endif
#define V_XOR(d, c) TTI_SFPXOR(d, c)
#define V_NOT(d) TTI_SFPNOT(d, d)

/* What follows counts only where it holds, until V_EVERYWHERE(). */
#define V_WHERE_NEGATIVE(c) TTI_SFPSETCC(c, 0, 0)
#define V_WHERE_NOT_ZERO(c) TTI_SFPSETCC(c, 0, 2)
#define V_WHERE_NOT_NEGATIVE(c) TTI_SFPSETCC(c, 0, 4)
#define V_WHERE_ZERO(c) TTI_SFPSETCC(c, 0, 6)
#define V_EVERYWHERE() TTI_SFPENCC(3, 10)

/* The smaller goes to `low`, the larger to `high`; in some rows the other way round. The second cycle is waited for. */
enum { V_ALL_ROWS = 1, V_UPPER_TWO_ROWS = 2, V_EVEN_ROWS = 3 };
#define V_SORT(low, high, rows)   \
  do {                            \
    TTI_SFPSWAP(low, high, rows); \
    TTI_SFPNOP;                   \
  } while (0)

/* Nothing of what lanes are configured for is left from before. The stack of flags is not used. */
static inline void vector_set_up(void) {
  V_EVERYWHERE();
  V_SET_SMALL(V0, 0);
  TTI_SFPCONFIG(VECTOR_LANES, 0, 0);
  V_EVERYWHERE();
  V_SET_CONSTANT(V_MINUS_ONE, 0xBF800000u);
}

/* A tile that has come to SrcA, to Dst; its bank is given back. */
static inline void tile_to_dst(uint32_t dst_row) {
  for (unsigned face = 0; face < 4; ++face)
    copy_face(16 * face, dst_row + 16 * face);
  RELEASE(RELEASE_SRC_A);
}

/* From the Matrix Unit to the Vector Unit, which nothing holds back by itself; and on to pack. */
#define VECTORS_BEGIN() TTI_STALLWAIT(STALL_SFPU, WAIT_MATH)
#define VECTORS_GIVE_DST()                            \
  do {                                                \
    TTI_SETRWC(KEEP_SRC, 0, 0, 0, 0, 0xF);            \
    TTI_STALLWAIT(STALL_SYNC, WAIT_SFPU | WAIT_MATH); \
    TTI_SEMPOST(t6_sem(SEM_MATH_PACK));               \
  } while (0)

/* Every vector of a tile comes to `v`, and what `change` leaves there goes back. */
ALWAYS_INLINE void change_vectors(uint32_t v, void (*change)(void), uint32_t stored_as) {
  VECTORS_BEGIN();
  for (unsigned vector = 0; vector < VECTORS; ++vector) {
    V_LOAD(v, 0, DST_FP32);
    change();
    V_STORE(v, 0, stored_as);
    V_NEXT();
  }
}

#endif
