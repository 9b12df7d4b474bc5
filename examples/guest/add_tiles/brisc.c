/* Makes tiles, lets the T cores add them, and compares: the sums are exact in BF16. */
#include "shared.h"
#include "tensim/bf16.h"
#include "tensim/clock.h"
#include "tensim/print.h"
#include "tensim/reset.h"

/* In 1/128, and small enough that a sum has 8 bits at most. */
static int left_number(unsigned tile, unsigned i) {
  return (int)((37 * i + 11 * tile) & 127) - 64;
}
static int right_number(unsigned tile, unsigned i) {
  return (int)((91 * i + 53 * tile) & 127) - 63;
}

int main(void) {
  for (unsigned tile = 0; tile < TILES; ++tile)
    for (unsigned i = 0; i < TILE_DATUMS; ++i) {
      shared.left[tile][i] = to_bf16(left_number(tile, i));
      shared.right[tile][i] = to_bf16(right_number(tile, i));
    }
  clear_config();
  semaphore_init(SEM_MATH_PACK, HALVES, 0); /* long done when a T core gets to its first instruction */
  shared.packed = 0;
  const uint32_t start = wall_clock();
  release_cores(SOFT_RESET_TRISCS);
  wait_for(&shared.packed, 1);
  shared.cycles = wall_clock() - start;

  shared.wrong = 0;
  for (unsigned tile = 0; tile < TILES; ++tile)
    for (unsigned i = 0; i < TILE_DATUMS; ++i)
      if (shared.out[tile][i] != to_bf16(left_number(tile, i) + right_number(tile, i))) ++shared.wrong;
  print("%d tiles: %d cycles, %d elements are wrong\n", TILES, shared.cycles, shared.wrong);
  return 0;
}
