#include "tensim/circular_buffer.h"
#include "tensim/noc.h"
#include "tensim/tile.h"

/* product = left * right, 128x512 times 512x128 BF16, on 4x4 tiles: tile (x, y) makes the 32x32 elements of row y and column x, in four
 * steps. Step k needs four tiles of left's row y, the same for all tiles of a row, and four of right's column x, the same for all of a
 * column. Either each tile reads both from DRAM; or the first of a row reads left's and multicasts them to the others of the row, and the
 * first of a column right's. NCRISC brings left on NoC 1, BRISC right on NoC 0. */
enum { SIDE = 4, STEPS = 4, BLOCK = 4, FIDELITY_PHASES = 4 };
enum { TILE_BYTES = 2 * TILE_DATUMS, BLOCK_BYTES = BLOCK * TILE_BYTES, PAGES = 2 };
enum { LEFT, RIGHT, OUT, BUFFERS }; /* circular buffers */
enum {
  LEFT_BANK = 0,
  RIGHT_BANK = 1,
  PRODUCT_BANK = 2
}; /* of DRAM, from address 0 on: right's tiles column by column */

/* Between who multicasts pages and who receives them. */
struct channel {
  struct noc_semaphore ready; /* in the sender: pages for which the others have made room, each of them */
  struct noc_semaphore sent;  /* in the receivers: pages that are there */
};

struct shared {
  uint32_t multicasts;                                     /* by the host: 0 if everybody reads for itself */
  struct channel channels[2] __attribute__((aligned(16))); /* LEFT's and RIGHT's */
  uint16_t blocks[2][PAGES][BLOCK * TILE_DATUMS] __attribute__((aligned(64)));
  uint16_t out[TILE_DATUMS];
};
SHARED volatile struct shared shared;

static inline struct circular_buffer operand_buffer(unsigned number) {
  return (struct circular_buffer){number, l1_address(shared.blocks[number]), BLOCK_BYTES, PAGES, 0};
}
static inline struct circular_buffer out_buffer(void) {
  return (struct circular_buffer){OUT, l1_address(shared.out), TILE_BYTES, 1, 0};
}
/* Where the block is that step `step` takes of a row of left, or of a column of right. */
static inline uint32_t address_of_block(unsigned line, unsigned step) {
  return (line * STEPS + step) * BLOCK_BYTES;
}
