/* T1: functions of FP32 on V0, which use V1 to V3. */
#ifndef TENSIM_VECTOR_FUNCTIONS_H
#define TENSIM_VECTOR_FUNCTIONS_H

#include "tensim/vector.h"

/* e^x = 2^n e^f, with n the integer next to x / ln 2 and f what is left, at most ln 2 / 2: Taylor's terms up to f^6.
 * ln 2 is in two parts, of which the first has so few bits that n times it is exact. Adding 1.5 * 2^23 rounds to an
 * integer, and leaves it in the lowest bits. */
enum { EXP_LOG2_E = V4, EXP_ROUND = V5, EXP_MINUS_LN2 = V6, EXP_MINUS_LN2_REST = V7, EXP_C6 = V_A, EXP_C5, EXP_C4 };
static inline void exp_set_up(void) {
  V_SET_CONSTANT(EXP_C6, 0x3AB60B61u); /* 1/720 */
  V_SET_CONSTANT(EXP_C5, 0x3C088889u); /* 1/120 */
  V_SET_CONSTANT(EXP_C4, 0x3D2AAAABu); /* 1/24 */
  V_SET(EXP_LOG2_E, 0x3FB8AA3Bu);
  V_SET(EXP_ROUND, 0x4B400000u);
  V_SET(EXP_MINUS_LN2, 0xBF318000u);
  V_SET(EXP_MINUS_LN2_REST, 0x395E8083u);
}
ALWAYS_INLINE void exp_of_v0(void) {
  V_MAD(V1, V0, EXP_LOG2_E, EXP_ROUND);
  V_MAD(V2, V_MINUS_ONE, EXP_ROUND, V1); /* n */
  V_MAD(V0, V2, EXP_MINUS_LN2, V0);
  V_MAD(V0, V2, EXP_MINUS_LN2_REST, V0); /* f */
  V_MAD(V2, EXP_C6, V0, EXP_C5);
  V_MAD(V2, V2, V0, EXP_C4);
  V_SET(V3, 0x3E2AAAABu); /* 1/6 */
  V_MAD(V2, V2, V0, V3);
  V_SET_BF16(V3, BF16_HALF);
  V_MAD(V2, V2, V0, V3);
  V_MAD(V2, V2, V0, V_ONE);
  V_MAD(V2, V2, V0, V_ONE);
  V_SHIFT_NUMBER(V1, 23); /* n, where exponents are */
  V_INTEGER_ADD(V2, V1);
  V_COPY(V0, V2);
}
/* To where e^x is a normal number. */
ALWAYS_INLINE void clamp_for_exp(void) {
  enum { BF16_MINUS_87 = 0xC2AE, BF16_88 = 0x42B0 };
  V_SET_BF16(V1, BF16_MINUS_87);
  V_SORT(V1, V0, V_ALL_ROWS);
  V_SET_BF16(V1, BF16_88);
  V_SORT(V0, V1, V_ALL_ROWS);
}

ALWAYS_INLINE void clamped_exp_of_v0(void) {
  clamp_for_exp();
  exp_of_v0();
}

/* Newton's r + r (1 - |x| r), three times, from the difference of a constant and the bits of |x|, which is within
 * 0.051. */
ALWAYS_INLINE void improve_reciprocal(void) {
  V_MAD(V3, V2, V1, V_ONE);
  V_MAD(V1, V3, V1, V1);
}
ALWAYS_INLINE void reciprocal_of_v0(void) {
  V_MAGNITUDE(V1, V0);
  V_NEGATE(V2, V1);
  V_SET(V3, 0x7EF311C7u);
  V_INTEGER_SUBTRACT_FROM(V1, V3);
  improve_reciprocal();
  improve_reciprocal();
  improve_reciprocal();
  V_TAKE_MAGNITUDE(V0, V1);
}

/* x times its inverse root: Newton's r (3/2 - x/2 r^2), three times, likewise from the bits, halved, within 0.035. */
enum { SQRT_3_HALVES = V4 };
static inline void sqrt_set_up(void) {
  V_SET(SQRT_3_HALVES, 0x3FC00000u);
}
ALWAYS_INLINE void improve_inverse_root(void) {
  V_MUL(V3, V1, V2); /* r^2 of zero would be infinite */
  V_MAD(V3, V3, V1, SQRT_3_HALVES);
  V_MUL(V1, V1, V3);
}
ALWAYS_INLINE void sqrt_of_v0(void) {
  V_COPY(V1, V0);
  V_SHIFT_NUMBER(V1, -1);
  V_SET(V2, 0x5F3759DFu);
  V_INTEGER_SUBTRACT_FROM(V1, V2);
  V_COPY(V2, V0);
  V_MUL_BF16(V2, BF16_MINUS_HALF);
  improve_inverse_root();
  improve_inverse_root();
  improve_inverse_root();
  V_MUL(V0, V0, V1);
}

/* 1 / (1 + e^-x), and 1 - 2 / (1 + e^2x), with exp_set_up(). */
ALWAYS_INLINE void sigmoid_of_v0(void) {
  V_NEGATE(V0, V0);
  clamped_exp_of_v0();
  V_ADD(V0, V0, V_ONE);
  reciprocal_of_v0();
}
ALWAYS_INLINE void tanh_of_v0(void) {
  V_ADD(V0, V0, V0);
  clamped_exp_of_v0();
  V_ADD(V0, V0, V_ONE);
  reciprocal_of_v0();
  V_MUL_BF16(V0, BF16_MINUS_TWO);
  V_ADD(V0, V0, V_ONE);
}
ALWAYS_INLINE void relu_of_v0(void) {
  V_WHERE_NEGATIVE(V0);
  V_SET_SMALL(V0, 0);
  V_EVERYWHERE();
}

/* Tables of lines for |x|. SFPLUT's has three in V0 to V2, to 1, to 2 and above, of 8 bits (sign, power of 1/2,
 * mantissa) for slope and offset; SFPLUTFP32's has six, slopes there and offsets in V4 to V6, to 1/2, 1, 3/2, 2, 3 and
 * above, of FP16, in which 0x7C00 is zero. Both take x from V3. */
enum { LUT_KEEPS_SIGN = 4, LUTFP32_SIX_LINES = 2 };
static inline void tanh_table_set_up(void) {
  V_SET_SMALL(V0, 0x1857); /* 3/4 x + 0.0449 */
  V_SET_SMALL(V1, 0x3913); /* 0.1953 x + 0.59375 */
  V_SET_SMALL(V2, 0xFF1F); /* 0.96875 */
}
ALWAYS_INLINE void tanh_by_table_of_v3(void) {
  TTI_SFPLUT(V3, LUT_KEEPS_SIGN);
  V_SETTLE();
}
/* Of the odd function sigmoid - 1/2, chords moved half way to the curve. */
static inline void sigmoid_table_set_up(void) {
  V_SET(V0, 0x32F333D6u); /* slopes, the second line's above the first one's */
  V_SET(V1, 0x300C3189u);
  V_SET(V2, 0x7C002C98u);
  V_SET(V4, 0x23B70FF2u); /* offsets */
  V_SET(V5, 0x30232B9Eu);
  V_SET(V6, 0x379F33B6u);
}
ALWAYS_INLINE void sigmoid_by_table_of_v3(void) {
  TTI_SFPLUTFP32(V7, LUTFP32_SIX_LINES);
  V_SETTLE();
  V_TAKE_MAGNITUDE(V3, V7);
  TTI_SFPADDI(V3, BF16_HALF, 0);
  V_SETTLE();
}

/* V0 becomes an integer, in two's complement, cut off; for magnitudes below 2^31. */
ALWAYS_INLINE void integer_of_v0(void) {
  enum { MANTISSA_BITS = 23, WHERE_NEGATIVE = 2 };
  TTI_SFPEXMAN(V2, V0, 0);
  TTI_SFPEXEXP(V3, V0, 0);
  V_INTEGER_ADD_NUMBER(V3, V3, -MANTISSA_BITS);
  V_SHIFT(V2, V3);
  TTI_SFPEXEXP(V3, V0, WHERE_NEGATIVE); /* less than 1 */
  V_SET_SMALL(V2, 0);
  V_EVERYWHERE();
  V_WHERE_NEGATIVE(V0);
  V_INTEGER_SUBTRACT_FROM(V2, V_ZERO);
  V_EVERYWHERE();
  V_COPY(V0, V2);
}
/* From two's complement to sign and magnitude, as pack and SFPCAST have integers. */
ALWAYS_INLINE void sign_and_magnitude_of_v0(void) {
  V_WHERE_NEGATIVE(V0);
  V_INTEGER_SUBTRACT_FROM(V0, V_ZERO);
  V_MAKE_NEGATIVE(V0);
  V_EVERYWHERE();
}
/* And both. */
ALWAYS_INLINE void sign_and_magnitude_integer_of_v0(void) {
  integer_of_v0();
  sign_and_magnitude_of_v0();
}

#endif
