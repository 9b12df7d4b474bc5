/* Tiles of 32x32 BF16 on their way through the data path: L1, unpackers, Src, Matrix Unit, Dst, packers, L1. A tile is
 * four faces of 16x16, one behind the other. */
#ifndef TENSIM_TILE_H
#define TENSIM_TILE_H

#include "tensim/config.h"
#include "tensim/core.h"

enum { FACE_DATUMS = 256, TILE_DATUMS = 1024, FORMAT_BF16 = 5 };

/* Words of backend configuration (CFG_) and of a thread's (THREAD_). */
#if defined(TENSIM_WORMHOLE)
enum {
  CFG_ALU = 1,          /* formats and modes of the Matrix Unit */
  CFG_PACK_STRIDES = 8, /* X and Y, then Z and W */
  PACK_Y_STRIDE_BIT = 12,
  CFG_PACK_READS = 14,
  CFG_EDGE_MASK = 20,
  CFG_PACK_COUNTERS = 24,
  CFG_PACKER = 56,     /* sizes; then the L1 address, then formats */
  CFG_UNPACKER_0 = 52, /* tile descriptor; then what UNPACK_ says, so many words further */
  CFG_UNPACKER_1 = 92,
  CFG_PACK_DST_OFFSET = 152, /* where the packer begins in Dst */
  THREAD_CFG_WORDS = 57,
  THREAD_SRCA_SET = 3,
  THREAD_MATRIX_MODE = 7,
  MATRIX_MODE_STEP = 2,
  THREAD_MATRIX_DST_MODE = 23,
  THREAD_PACK_MODE = 31,
};
#else
enum {
  CFG_ALU = 1,
  CFG_PACK_STRIDES = 12,
  PACK_Y_STRIDE_BIT = 16,
  CFG_PACK_READS = 18,
  CFG_EDGE_MASK = 24,
  CFG_PACK_COUNTERS = 28,
  CFG_PACKER = 68,
  CFG_UNPACKER_0 = 64,
  CFG_UNPACKER_1 = 112,
  CFG_PACK_DST_OFFSET = 180,
  THREAD_CFG_WORDS = 68,
  THREAD_SRCA_SET = 5,
  THREAD_MATRIX_MODE = 12,
  MATRIX_MODE_STEP = 1,
  THREAD_MATRIX_DST_MODE = 28,
  THREAD_PACK_MODE = 37,
};
#endif
enum { UNPACK_SETTINGS = 8, UNPACK_BASE = 12, UNPACK_DEST = 20, UNPACK_X_DIM = 22 };

/* Masks of SETADC...: whose address counters, and which of them. */
enum { ADC_UNPACKERS = 3, ADC_PACKERS = 4, ADC_BOTH_Y = 0xA, ADC_ALL_ZW = 0xF };

/* L1 addresses are in units of 16 bytes, and the hardware adds one for the header that a tile once had. */
static inline uint32_t l1_unit(const volatile void* data) {
  return (uint32_t)(uintptr_t)data / 16 - 1;
}

/* BRISC, before the T cores are let go: what they do not configure is 0, which hardware does not promise. The words
 * behind are not the data path's: resets and such. */
static inline void clear_config(void) {
  for (unsigned word = 0; word <= CFG_PACK_DST_OFFSET; ++word)
    cfg_write(0, word, 0);
  for (unsigned thread = 0; thread < 3; ++thread)
    for (unsigned word = 0; word < THREAD_CFG_WORDS; ++word)
      push_to_thread(thread, TT_OP_SETC16(word, 0));
}

/* ---- unpack: T0 ---- */

static inline void unpacker_set_up(unsigned word) {
  const uint32_t uncompressed = 1u << 4;
  cfg_write(0, word, FORMAT_BF16 | uncompressed | FACE_DATUMS << 16);
  cfg_write(0, word + 1, 1u | 4u << 16);                       /* rows, faces */
  cfg_write(0, word + UNPACK_SETTINGS, FORMAT_BF16 | 2u << 4); /* format in Src, throttle */
  cfg_write(0, word + UNPACK_SETTINGS + 1, 0x000F000Fu);       /* uncompressed in every context */
}
static inline void unpack_set_up(void) {
  unpacker_set_up(CFG_UNPACKER_0);
  unpacker_set_up(CFG_UNPACKER_1);
  cfg_write(0, CFG_UNPACKER_0 + UNPACK_DEST, 64u | 64u << 16); /* SrcA has no rows below this address */
  cfg_write(0, CFG_UNPACKER_0 + UNPACK_X_DIM, FACE_DATUMS | FACE_DATUMS << 16);
  TTI_SETC16(THREAD_SRCA_SET, 4);
  TTI_SETADCXX(ADC_UNPACKERS, TILE_DATUMS - 1, 0);
  TTI_SETADCXY(ADC_UNPACKERS, 0, 0, 0, 0, ADC_BOTH_Y);
  TTI_SETADCZW(ADC_UNPACKERS, 0, 0, 0, 0, ADC_ALL_ZW);
}

/* A tile to SrcA and one to SrcB, with data valid. The unpackers wait by themselves for banks of Src that are free; the
 * addresses must not change under an UNPACR of before. */
static inline void unpack_tiles(const volatile void* src_a, const volatile void* src_b) {
  tensix_sync();
  cfg_write(0, CFG_UNPACKER_0 + UNPACK_BASE, l1_unit(src_a));
  cfg_write(0, CFG_UNPACKER_1 + UNPACK_BASE, l1_unit(src_b));
  TTI_STALLWAIT(STALL_UNPACK, WAIT_TRISC_CFG);
  TTI_UNPACR(0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1);
  TTI_UNPACR(1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1);
}

/* ---- math: T1 ---- */

static inline void math_set_up(void) {
  cfg_write(0, CFG_ALU, FORMAT_BF16 << 17 | FORMAT_BF16 << 21 | FORMAT_BF16 << 25); /* SrcA, SrcB, Dst */
  TTI_STALLWAIT(STALL_MATH, WAIT_TRISC_CFG);
  TTI_SETRWC(0, 0, 0, 0, 0, 0xF); /* all counters, the fidelity phase too */
}

/* What an address mode adds to the counters of SrcA and SrcB, modulo 64 rows. */
#define MATRIX_MODE(mode, a, b) TTI_SETC16(THREAD_MATRIX_MODE + (mode) * MATRIX_MODE_STEP, (a) | (b) << 8)
/* And what it does to the fidelity phase. */
enum { PHASE_NEXT = 1 << 13, PHASE_FIRST = 1 << 15 };
#define MATRIX_PHASE_MODE(mode, phase) TTI_SETC16(THREAD_MATRIX_DST_MODE + (mode), phase)

/* Data valid of which an instruction lets go. */
enum { KEEP_SRC = 0, RELEASE_SRC_AB = 3 };

static inline void clear_dst(void) {
#if defined(TENSIM_WORMHOLE)
  TTI_ZEROACC(3, 0, 0);
#else
  TTI_ZEROACC(3, 0, 0, 0, 0);
#endif
}

/* The row of Dst that instructions of math count from. */
enum { THREAD_DST_OFFSET = 1, DST_HALF_ROWS = 512 };

/* Math may write to Dst, and has written to it. */
#define WAIT_FOR_DST() TTI_SEMWAIT(STALL_MATH | STALL_SYNC, t6_sem(SEM_MATH_PACK), STALL_ON_MAX)
#define GIVE_DST()                        \
  do {                                    \
    TTI_STALLWAIT(STALL_SYNC, WAIT_MATH); \
    TTI_SEMPOST(t6_sem(SEM_MATH_PACK));   \
  } while (0)

/* ---- pack: T2 ---- */

#if defined(TENSIM_WORMHOLE)
/* A PACR takes a face; Z goes on by one. */
enum { PACKED_DATUMS = FACE_DATUMS, PACK_X_END = FACE_DATUMS - 1, PACK_MODE = 1 << 12 };
#define PACK(last) TTI_PACR(0, 0, 1, 0, 0, 0, last)
#else
/* A PACR takes four rows; Y goes on by four. */
enum { PACKED_DATUMS = 64, PACK_X_END = 15, PACK_MODE = 4 };
#define PACK(last) TTI_PACR(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last)
#endif

static inline void pack_set_up(void) {
  const uint32_t datum_bytes = 2;
  const uint32_t row_bytes = 16 * datum_bytes;
  const uint32_t uncompressed = 1;
  cfg_write(0, CFG_PACK_STRIDES, datum_bytes | row_bytes << PACK_Y_STRIDE_BIT);
  cfg_write(0, CFG_PACK_STRIDES + 1, 16 * row_bytes | 64 * row_bytes << PACK_Y_STRIDE_BIT);
  cfg_write(0, CFG_PACK_READS, 0); /* Dst is 16 bits wide */
  cfg_write(0, CFG_EDGE_MASK, 0xFFFF);
  cfg_write(0, CFG_PACK_COUNTERS, 16u << 8); /* rows of a face */
  cfg_write(0, CFG_PACKER, 0);
  cfg_write(0, CFG_PACKER + 2, uncompressed | FORMAT_BF16 << 4 | FORMAT_BF16 << 8);
  TTI_SETC16(THREAD_PACK_MODE, PACK_MODE);
  TTI_SETADCXX(ADC_PACKERS, PACK_X_END, 0);
}

/* A tile from a row of Dst on to L1, when math has given it; Dst is free again behind it. The first wait holds back the
 * second one, which would take its place. */
static inline void pack_tile(volatile void* out, uint32_t dst_row) {
  tensix_sync();
  cfg_write(0, CFG_PACKER + 1, l1_unit(out));
  cfg_write(0, CFG_PACK_DST_OFFSET, dst_row);
  TTI_STALLWAIT(STALL_SYNC, WAIT_TRISC_CFG);
  TTI_SEMWAIT(STALL_TDMA, t6_sem(SEM_MATH_PACK), STALL_ON_ZERO);
  TTI_SETADCXY(ADC_PACKERS, 0, 0, 0, 0, ADC_BOTH_Y);
  TTI_SETADCZW(ADC_PACKERS, 0, 0, 0, 0, ADC_ALL_ZW);
  for (unsigned datums = PACKED_DATUMS; datums < TILE_DATUMS; datums += PACKED_DATUMS)
    PACK(0);
  PACK(1);
  TTI_STALLWAIT(STALL_SYNC, WAIT_PACK);
  TTI_SEMGET(t6_sem(SEM_MATH_PACK));
}

#endif
