/* Unpack as LLK's matmul does it with one pair of tiles per call: two contexts take turns, so that the core writes the
 * addresses of the next call while unpackers work; the left tile goes to SrcB, a MOP replays the right one to SrcA and
 * steps its address, which has no effect here. */
#include "job.h"
#include "tensim/mop.h"
#include "tensim/unpack.h"

enum { CONTEXTS = 2, TILES = 4 };
enum { GPR_ADDRESS = 4, GPR_TILE_SIZE = 8 };

/* UNPACR to SrcA, and its context's address goes on by a tile. */
#if defined(TENSIM_WORMHOLE)
enum { REPLAYED = 5, THCON_FIRST_WORD = 52 };
#define UNPACK_A_AND_STEP(word)                                     \
  UNPACK(0);                                                        \
  TTI_RDCFG(GPR_ADDRESS, word);                                     \
  TTI_ADDDMAREG(0, GPR_ADDRESS, GPR_ADDRESS, GPR_TILE_SIZE);        \
  TTI_REG2FLOP(1, 0, 0, 0, (word) - THCON_FIRST_WORD, GPR_ADDRESS); \
  TTI_NOP
#else
enum { REPLAYED = 6 };
#define UNPACK_A_AND_STEP(word)                              \
  UNPACK(0);                                                 \
  TTI_RDCFG(GPR_ADDRESS, word);                              \
  TTI_ADDDMAREG(0, GPR_ADDRESS, GPR_ADDRESS, GPR_TILE_SIZE); \
  TTI_STALLWAIT(STALL_CFG, WAIT_THCON);                      \
  TTI_WRCFG(GPR_ADDRESS, 0, word);                           \
  TTI_NOP
#endif

static void set_up(void) {
  const struct formats formats = job.formats;
  unpack_set_up(&formats, UNPACK_AS_IT_IS, TILE_DATUMS);
  TTI_SETDMAREG(0, 2 * TILE_DATUMS / 16, 0, 2 * GPR_TILE_SIZE);
  TTI_SETDMAREG(0, 0, 0, 2 * GPR_TILE_SIZE + 1);
  RECORD(0, CONTEXTS * REPLAYED);
  UNPACK_A_AND_STEP(CFG_UNPACKER_0 + UNPACK_BASE);
  UNPACK_A_AND_STEP(CFG_UNPACKER_0 + UNPACK_BASE + 1);
  mop_sync();
  mop_by_mask(TT_OP_REPLAY(0, REPLAYED, 0, 0), TT_OP_REPLAY(REPLAYED, REPLAYED, 0, 0));
}

static inline void unpack_call(unsigned context, uint32_t left, uint32_t right) {
  while (semaphore_read(SEM_UNPACK_SYNC) >= CONTEXTS) {
  }
  cfg_write(0, CFG_UNPACKER_0 + UNPACK_BASE + context, l1_unit(right));
  cfg_write(0, CFG_UNPACKER_1 + UNPACK_BASE + context, l1_unit(left));
  semaphore_post(SEM_UNPACK_SYNC);
  TTI_STALLWAIT(STALL_UNPACK, WAIT_TRISC_CFG);
  UNPACK(1);
  TT_MOP(0, 0, context == 0 ? 0 : 0xFF);
  TTI_SEMGET(t6_sem(SEM_UNPACK_SYNC));
}

int main(void) {
  set_up();
  begin();
  const uint32_t left = job.left;
  const uint32_t right = job.right;
  const unsigned calls = job.depth;
  unsigned context = 0;
  for (unsigned call = 0; call < calls; ++call) {
    const uint32_t offset = call % TILES * 2 * TILE_DATUMS;
    unpack_call(context, left + offset, right + offset);
    context = 1 - context;
    TT_SETC16(THREAD_UNPACK_CONTEXT, context == 0 ? 0 : 0x0101);
  }
  return 0;
}
