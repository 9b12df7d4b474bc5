/* BF16 without floating point. */
#ifndef TENSIM_BF16_H
#define TENSIM_BF16_H

#include <stdint.h>

/* BF16: a sign, 8 bits of exponent with a bias of 127, 7 bits of mantissa below a one.
 * This is n/128, exact for |n| < 256. */
static inline uint16_t to_bf16(int n) {
  if (n == 0) return 0;
  uint32_t magnitude = (uint32_t)(n < 0 ? -n : n);
  uint32_t exponent = 127; /* of 128/128 */
  for (; magnitude < 128; magnitude <<= 1)
    --exponent;
  return (uint16_t)((n < 0 ? 0x8000u : 0u) | exponent << 7 | (magnitude & 0x7Fu));
}

#endif
