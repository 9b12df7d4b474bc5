#include "tensim/core.h"
#include "tensim/semaphore.h"
#include "tensim/sync.h"
#include "tensim/tile.h"

/* out = left + right, element by element, for some tiles of BF16. Math writes to one half of Dst while pack empties the
 * other: MATH_PACK counts full halves. */
enum { TILES = 8, HALVES = 2 };

struct shared {
  uint32_t packed; /* all results are in L1 */
  uint32_t cycles; /* from letting the T cores go until then */
  uint32_t wrong;  /* elements that are not the sum */
  uint16_t left[TILES][TILE_DATUMS] __attribute__((aligned(16)));
  uint16_t right[TILES][TILE_DATUMS], out[TILES][TILE_DATUMS];
};
SHARED volatile struct shared shared;

static inline uint32_t dst_row_of(unsigned tile) {
  return tile % HALVES * DST_HALF_ROWS;
}
