#include "tensim/core.h"
#include "tensim/semaphore.h"
#include "tensim/sync.h"
#include "tensim/tile.h"

/* out = left * right: 32x32 times 32x32, BF16. Unpack (T0) brings both tiles to Src, math (T1) multiplies them into Dst,
 * pack (T2) takes Dst to L1. Unpack and math meet by data valid of Src, math and pack by the semaphore MATH_PACK. */
enum { SIZE = 32, HIGHEST_FIDELITY = 4 };

struct shared {
  uint32_t phases;  /* fidelity phases, 1 to 4, by the host; 0 stands for all 4 */
  uint32_t largest; /* elements are made from -largest to largest, by the host; 0 stands for 255 */
  uint32_t packed;  /* the result is in L1 */
  uint32_t cycles;  /* from letting the T cores go until then */
  uint32_t wrong;   /* elements that are out of bounds */
  uint32_t worst;   /* the largest error, in 1/16384 */
  uint16_t left[TILE_DATUMS] __attribute__((aligned(16)));
  uint16_t right[TILE_DATUMS], out[TILE_DATUMS];
};
SHARED volatile struct shared shared;

static inline unsigned fidelity_phases(void) {
  return shared.phases == 0 ? HIGHEST_FIDELITY : shared.phases;
}
