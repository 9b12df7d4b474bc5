/* T0: tiles from L1 to SrcA (unpacker 0) and SrcB (unpacker 1). */
#ifndef TENSIM_UNPACK_H
#define TENSIM_UNPACK_H

#include "tensim/tile.h"

/* What else the word UNPACK_SETTINGS says of SrcA's unpacker. Rows that lie apart are so many bytes apart. */
enum { UNPACK_AS_IT_IS = 0, UNPACK_TRANSPOSED = 1 << 8 };
#define UNPACK_ROWS_APART(bytes) (1u << 9 | (bytes) / 16 << 16)

static inline void unpacker_set_up(unsigned word, const struct formats* formats, uint32_t mode) {
  const uint32_t uncompressed = 1u << 4;
  const uint32_t fastest = 2u << 4;
  cfg_write(0, word, formats->in | uncompressed | FACE_DATUMS << 16);
  cfg_write(0, word + 1, 1u | 4u << 16); /* rows, faces */
  cfg_write(0, word + UNPACK_SETTINGS, formats->src | fastest | mode);
  cfg_write(0, word + UNPACK_SETTINGS + 1, 0x000F000Fu); /* uncompressed in every context */
}

/* Every UNPACR takes `datums`, from row 0 of Src on. */
static inline void unpack_set_up(const struct formats* formats, uint32_t mode_of_a, unsigned datums) {
  unpacker_set_up(CFG_UNPACKER_0, formats, mode_of_a);
  unpacker_set_up(CFG_UNPACKER_1, formats, UNPACK_AS_IT_IS);
  cfg_write(0, CFG_UNPACKER_0 + UNPACK_DEST, 64u | 64u << 16); /* SrcA has no rows below this address */
  cfg_write(0, CFG_UNPACKER_0 + UNPACK_X_DIM, FACE_DATUMS | FACE_DATUMS << 16);
  TTI_SETC16(THREAD_SRCA_SET, 4);
  TT_SETADCXX(ADC_UNPACKERS, datums - 1, 0);
  TTI_SETADCXY(ADC_UNPACKERS, 0, 0, 0, 0, ADC_BOTH_Y);
  TTI_SETADCZW(ADC_UNPACKERS, 0, 0, 0, 0, ADC_ALL_ZW);
}

/* With data valid: the bank belongs to the Matrix Unit then. Unpackers wait by themselves for a bank that is free. */
#define UNPACK(unpacker) TTI_UNPACR(unpacker, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1)

/* The addresses must not change under an UNPACR of before, and must have arrived for the next. */
static inline void unpack_a(uint32_t address) {
  tensix_sync();
  cfg_write(0, CFG_UNPACKER_0 + UNPACK_BASE, l1_unit(address));
  TTI_STALLWAIT(STALL_UNPACK, WAIT_TRISC_CFG);
  UNPACK(0);
}
static inline void unpack_b(uint32_t address) {
  tensix_sync();
  cfg_write(0, CFG_UNPACKER_1 + UNPACK_BASE, l1_unit(address));
  TTI_STALLWAIT(STALL_UNPACK, WAIT_TRISC_CFG);
  UNPACK(1);
}
static inline void unpack_ab(uint32_t to_a, uint32_t to_b) {
  tensix_sync();
  cfg_write(0, CFG_UNPACKER_0 + UNPACK_BASE, l1_unit(to_a));
  cfg_write(0, CFG_UNPACKER_1 + UNPACK_BASE, l1_unit(to_b));
  TTI_STALLWAIT(STALL_UNPACK, WAIT_TRISC_CFG);
  UNPACK(0);
  UNPACK(1);
}

#endif
