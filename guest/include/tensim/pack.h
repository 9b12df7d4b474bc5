/* T2: tiles from Dst to L1. */
#ifndef TENSIM_PACK_H
#define TENSIM_PACK_H

#include "tensim/tile.h"

/* What an address mode adds to the counters of Dst. */
#define PACK_Y(rows) (rows)
enum { PACK_NEXT_Z = 1 << 12, PACK_FIRST_Z = 1 << 13 };
#define PACK_MODE(mode, steps) TTI_SETC16(THREAD_PACK_MODE + (mode), steps)

#if defined(TENSIM_WORMHOLE)
/* A PACR takes a face; Z goes on by one. */
enum { PACKED_DATUMS = FACE_DATUMS, PACK_X_END = FACE_DATUMS - 1, PACK_STEPS = PACK_NEXT_Z };
#define PACK(mode, last) TTI_PACR(mode, 0, 1, 0, 0, 0, last)
#else
/* A PACR takes four rows, of as many interfaces; Y goes on by four. */
enum { PACKED_DATUMS = 64, PACK_X_END = 15, PACK_STEPS = PACK_Y(4) };
#define PACK(mode, last) TTI_PACR(0, 0, 0, mode, 0, 0, 0, 0, 0, 0, 0, last)
#endif

/* Z and W in rows of Dst. */
static inline void pack_strides(const struct formats* formats, uint32_t z_rows, uint32_t w_rows) {
  const uint32_t datum = datum_bytes(formats->dst);
  const uint32_t row = 16 * datum;
  cfg_write(0, CFG_PACK_STRIDES, datum | row << PACK_Y_STRIDE_BIT);
  cfg_write(0, CFG_PACK_STRIDES + 1, z_rows * row | w_rows * row << PACK_Y_STRIDE_BIT);
}

static inline void packer_set_up(unsigned packer, unsigned word, const struct formats* formats) {
  const uint32_t uncompressed = 1;
  cfg_write(0, CFG_PACK_COUNTERS + packer, 16u << 8); /* rows of a face */
  cfg_write(0, word, exponent_bytes(formats->out) / 16 << 16);
  cfg_write(0, word + 2, uncompressed | formats->out << 4 | formats->dst << 8);
}

/* Only the first packer packs here, but the others are told the same. */
static inline void packers_set_up(const struct formats* formats) {
  packer_set_up(0, CFG_PACKER, formats);
#if defined(TENSIM_WORMHOLE)
  packer_set_up(1, CFG_PACKER_1, formats);
  packer_set_up(2, CFG_PACKER_2, formats);
  packer_set_up(3, CFG_PACKER_3, formats);
#endif
}

static inline void pack_set_up(const struct formats* formats) {
  pack_strides(formats, 16, TILE_ROWS);
  cfg_write(0, CFG_PACK_READS, formats->dst_is_32_bits);
  cfg_write(0, CFG_EDGE_MASK, 0xFFFF);
  packers_set_up(formats);
  PACK_MODE(0, PACK_STEPS);
  TTI_SETADCXX(ADC_PACKERS, PACK_X_END, 0);
}

/* What follows goes to `out`, from a row of Dst on, when math has given it. The first wait holds back the second one,
 * which would take its place. */
static inline void pack_begin(uint32_t out, uint32_t dst_row) {
  tensix_sync();
  cfg_write(0, CFG_PACKER + 1, l1_unit(out));
  cfg_write(0, CFG_PACK_DST_OFFSET, dst_row);
  TTI_STALLWAIT(STALL_SYNC, WAIT_TRISC_CFG);
  TTI_SEMWAIT(STALL_TDMA, t6_sem(SEM_MATH_PACK), STALL_ON_ZERO);
  TTI_SETADCXY(ADC_PACKERS, 0, 0, 0, 0, ADC_BOTH_Y);
  TTI_SETADCZW(ADC_PACKERS, 0, 0, 0, 0, ADC_ALL_ZW);
}

/* Dst is math's again. */
static inline void pack_end(void) {
  TTI_STALLWAIT(STALL_SYNC, WAIT_PACK);
  TTI_SEMGET(t6_sem(SEM_MATH_PACK));
}

/* Tiles that are side by side in Dst, one behind the other to L1; one at a time if they share exponents. */
static inline void pack_tiles(uint32_t out, uint32_t dst_row, unsigned tiles) {
  pack_begin(out, dst_row);
  for (unsigned datums = PACKED_DATUMS; datums < tiles * TILE_DATUMS; datums += PACKED_DATUMS)
    PACK(0, 0);
  PACK(0, 1);
  pack_end();
}

#endif
