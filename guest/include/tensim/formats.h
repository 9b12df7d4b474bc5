/* Data formats of tiles: their 4-bit codes in configuration, and their sizes. */
#ifndef TENSIM_FORMATS_H
#define TENSIM_FORMATS_H

#include <stdint.h>

enum format {
  FORMAT_FP32 = 0,
  FORMAT_FP16 = 1,
  FORMAT_TF32 = 4,
  FORMAT_BF16 = 5,
  FORMAT_BFP8 = 6, /* 8 bits and an exponent that 16 datums share */
  FORMAT_INT32 = 8,
  FORMAT_INT16 = 9,
  FORMAT_INT8 = 14, /* sign and magnitude */
};

/* The formats that data has on its way through the data path. */
struct formats {
  uint32_t in;             /* of tiles in L1 */
  uint32_t src;            /* in SrcA and SrcB */
  uint32_t dst;            /* what pack takes Dst for */
  uint32_t out;            /* of the result in L1 */
  uint32_t dst_is_32_bits; /* or 16 */
  uint32_t integers;       /* the Matrix Unit's integer mode */
};
static const struct formats all_bf16 = {FORMAT_BF16, FORMAT_BF16, FORMAT_BF16, FORMAT_BF16, 0, 0};

static inline uint32_t datum_bytes(uint32_t format) {
  if (format == FORMAT_FP32 || format == FORMAT_TF32 || format == FORMAT_INT32) return 4;
  return format == FORMAT_FP16 || format == FORMAT_BF16 || format == FORMAT_INT16 ? 2 : 1;
}
/* A tile that shares exponents has them in front, a byte for 16 datums. */
static inline uint32_t exponent_bytes(uint32_t format) {
  return format == FORMAT_BFP8 ? 64 : 0;
}
static inline uint32_t tile_bytes(uint32_t format) {
  return exponent_bytes(format) + 1024 * datum_bytes(format);
}

#endif
