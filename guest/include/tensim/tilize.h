/* T0, T1 and T2: 32x32 datums of a matrix that lies row by row in L1, to a tile. An unpacker takes rows that are apart:
 * Wormhole 16 datums of each, so that a face is unpacked at a time, into a bank of its own; Blackhole 32, if they have 16
 * bits or more, so that Dst holds the halves of each row one behind the other, and the packer takes every other row. */
#ifndef TENSIM_TILIZE_H
#define TENSIM_TILIZE_H

#include "tensim/copy.h"
#include "tensim/pack.h"
#include "tensim/unpack.h"

#if defined(TENSIM_WORMHOLE)

static inline void tilize_unpack_set_up(const struct formats* formats, uint32_t row_bytes) {
  unpack_set_up(formats, UNPACK_ROWS_APART(row_bytes), FACE_DATUMS);
}
static inline void tilize_unpack(uint32_t address, uint32_t row_bytes, uint32_t bytes) {
  unpack_a(address);
  unpack_a(address + 16 * bytes);
  unpack_a(address + 16 * row_bytes);
  unpack_a(address + 16 * row_bytes + 16 * bytes);
}
static inline void tilize_copy(void) {
  for (unsigned face = 0; face < 4; ++face) {
    copy_face(0, 16 * face);
    RELEASE(RELEASE_SRC_A);
  }
}
static inline void tilize_pack_set_up(const struct formats* formats) {
  pack_set_up(formats);
}
static inline void tilize_pack(uint32_t out, uint32_t dst_row) {
  pack_tiles(out, dst_row, 1);
}

#else

static inline void tilize_unpack_set_up(const struct formats* formats, uint32_t row_bytes) {
  unpack_set_up(formats, UNPACK_ROWS_APART(row_bytes), TILE_DATUMS);
}
static inline void tilize_unpack(uint32_t address, uint32_t row_bytes, uint32_t bytes) {
  (void)row_bytes, (void)bytes;
  unpack_a(address);
}
static inline void tilize_copy(void) {
  for (unsigned face = 0; face < 4; ++face)
    copy_face(16 * face, 16 * face);
  RELEASE(RELEASE_SRC_A);
}

/* Z counts upper and lower halves of the tile. Of four rows, two interfaces take left halves and two right ones. */
enum { LEFT_HALVES = 5, RIGHT_HALVES = 10 };
static inline void tilize_pack_set_up(const struct formats* formats) {
  pack_set_up(formats);
  pack_strides(formats, 32, TILE_ROWS);
}
#define PACK_HALVES(halves, last) TTI_PACR(0, 0, 0, 0, 0, 0, halves, 0, 0, 0, 0, last)
#define PACK_FACE(z, halves, last)                \
  do {                                            \
    TTI_SETADC(ADC_PACKERS, ADC_INPUT, ADC_Y, 0); \
    TTI_SETADC(ADC_PACKERS, ADC_INPUT, ADC_Z, z); \
    for (unsigned row = 2; row < 16; row += 2)    \
      PACK_HALVES(halves, 0);                     \
    PACK_HALVES(halves, last);                    \
  } while (0)
static inline void tilize_pack(uint32_t out, uint32_t dst_row) {
  pack_begin(out, dst_row);
  PACK_FACE(0, LEFT_HALVES, 0);
  PACK_FACE(0, RIGHT_HALVES, 0);
  PACK_FACE(1, LEFT_HALVES, 0);
  PACK_FACE(1, RIGHT_HALVES, 1);
  pack_end();
}

#endif

#endif
