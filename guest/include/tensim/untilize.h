/* T1 and T2: a tile in Dst to 32 rows of 32 datums in L1, a row of two faces that are side by side at a time. */
#ifndef TENSIM_UNTILIZE_H
#define TENSIM_UNTILIZE_H

#include "tensim/copy.h"
#include "tensim/pack.h"

#if defined(TENSIM_WORMHOLE)

/* Y counts rows of a face, Z is the left or the right one, W the upper or lower two. */
enum { LEFT, RIGHT };
static inline void untilize_dst_set_up(void) {}
static inline void untilize_modes(void) {
  PACK_MODE(LEFT, PACK_NEXT_Z);
  PACK_MODE(RIGHT, PACK_FIRST_Z | PACK_Y(1));
  TTI_SETADCXX(ADC_PACKERS, 15, 0);
}
#define PACK_ROW(last) \
  do {                 \
    PACK(LEFT, 0);     \
    PACK(RIGHT, last); \
  } while (0)

#else

/* The packer's interfaces read rows that are 16 apart, if Dst is laid out for that; two of them are a row of the tile. */
static inline void untilize_dst_set_up(void) {
  const uint32_t swizzles_and_remaps = 3;
  cfg_write(0, CFG_DST_ACCESS, swizzles_and_remaps);
  TTI_STALLWAIT(STALL_MATH, WAIT_TRISC_CFG);
}
static inline void untilize_modes(void) {
  PACK_MODE(0, PACK_Y(1));
}
#define PACK_ROW(last) TTI_PACR(0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0, last)

#endif

static inline void untilize_set_up(const struct formats* formats) {
  pack_set_up(formats);
  pack_strides(formats, 16, 32);
  untilize_modes();
}

static inline void untilize_tile(uint32_t out, uint32_t dst_row) {
  pack_begin(out, dst_row);
  for (unsigned row = 0; row < 16; ++row)
    PACK_ROW(0);
  TTI_SETADC(ADC_PACKERS, ADC_INPUT, ADC_Y, 0);
  TTI_SETADC(ADC_PACKERS, ADC_INPUT, ADC_W, 1);
  for (unsigned row = 1; row < 16; ++row)
    PACK_ROW(0);
  PACK_ROW(1);
  pack_end();
}

#endif
