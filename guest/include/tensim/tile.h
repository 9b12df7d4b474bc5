/* Tiles of 32x32 on their way through the data path: L1, unpackers (unpack.h), Src, Matrix Unit (math.h), Dst, packers
 * (pack.h), L1. A tile is four faces of 16x16, one behind the other. */
#ifndef TENSIM_TILE_H
#define TENSIM_TILE_H

#include "tensim/config.h"
#include "tensim/core.h"
#include "tensim/formats.h"
#include "tensim/semaphore.h"
#include "tensim/sync.h"

enum { FACE_DATUMS = 256, TILE_DATUMS = 1024 };

/* Words of backend configuration (CFG_) and of a thread's (THREAD_). */
#if defined(TENSIM_WORMHOLE)
enum {
  CFG_ALU = 1,          /* formats and modes of the Matrix Unit */
  CFG_PACK_STRIDES = 8, /* X and Y, then Z and W */
  PACK_Y_STRIDE_BIT = 12,
  CFG_PACK_READS = 14,
  CFG_EDGE_MASK = 20,
  CFG_PACK_COUNTERS = 24,
  PACKERS = 4, /* their words: sizes; then the L1 address, then formats */
  CFG_PACKER = 56,
  CFG_PACKER_1 = 84,
  CFG_PACKER_2 = 96,
  CFG_PACKER_3 = 124,
  CFG_UNPACKER_0 = 52, /* tile descriptor; then what UNPACK_ says, so many words further */
  CFG_UNPACKER_1 = 92,
  CFG_PACK_DST_OFFSET = 152, /* where the packer begins in Dst */
  THREAD_CFG_WORDS = 57,
  THREAD_SRCA_SET = 3,
  THREAD_MATRIX_MODE = 7,
  MATRIX_MODE_STEP = 2,
  THREAD_MATRIX_DST_MODE = 23,
  THREAD_MATRIX_BIAS = 48,
  THREAD_PACK_MODE = 31,
  THREAD_UNPACK_CONTEXT = 39,
};
#else
enum {
  CFG_ALU = 1,
  CFG_PACK_STRIDES = 12,
  PACK_Y_STRIDE_BIT = 16,
  CFG_PACK_READS = 18,
  CFG_EDGE_MASK = 24,
  CFG_PACK_COUNTERS = 28,
  PACKERS = 1,
  CFG_PACKER = 68,
  CFG_UNPACKER_0 = 64,
  CFG_UNPACKER_1 = 112,
  CFG_PACK_DST_OFFSET = 180,
  CFG_DST_ACCESS = 220, /* how rows of Dst are laid out */
  THREAD_CFG_WORDS = 68,
  THREAD_SRCA_SET = 5,
  THREAD_MATRIX_MODE = 12,
  MATRIX_MODE_STEP = 1,
  THREAD_MATRIX_DST_MODE = 28,
  THREAD_PACK_MODE = 37,
  THREAD_UNPACK_CONTEXT = 41,
};
#endif
enum { UNPACK_SETTINGS = 8, UNPACK_BASE = 12, UNPACK_DEST = 20, UNPACK_X_DIM = 22 };

/* Data valid of which an instruction lets go. */
enum { KEEP_SRC = 0, RELEASE_SRC_A = 1, RELEASE_SRC_B = 2, RELEASE_SRC_AB = 3 };

/* Rows of a tile in Dst, and of half of Dst. With 32 bits Dst has half as many. */
enum { TILE_ROWS = 64, DST_HALF_ROWS = 512 };

/* Masks of SETADC...: whose address counters, and which of them. */
enum { ADC_UNPACKERS = 3, ADC_PACKERS = 4, ADC_BOTH_Y = 0xA, ADC_ALL_ZW = 0xF };
/* SETADC takes one: of channel 0, and a dimension. */
enum { ADC_INPUT = 0, ADC_Y = 1, ADC_Z = 2, ADC_W = 3 };

static inline uint32_t l1_address(const volatile void* data) {
  return (uint32_t)(uintptr_t)data;
}
/* The data path counts L1 in 16 bytes, and adds one for the header that a tile once had. */
static inline uint32_t l1_unit(uint32_t address) {
  return address / 16 - 1;
}

/* BRISC, before the T cores are let go: what they do not configure is 0, which hardware does not promise. The words
 * behind are not the data path's: resets and such. */
static inline void clear_config(void) {
  for (unsigned word = 0; word <= CFG_PACK_DST_OFFSET; ++word)
    cfg_write(0, word, 0);
#if defined(TENSIM_BLACKHOLE)
  cfg_write(0, CFG_DST_ACCESS, 0);
#endif
  for (unsigned thread = 0; thread < 3; ++thread)
    for (unsigned word = 0; word < THREAD_CFG_WORDS; ++word)
      push_to_thread(thread, TT_OP_SETC16(word, 0));
}

#endif
