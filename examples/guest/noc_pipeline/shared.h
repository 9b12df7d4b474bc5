#include "tensim/circular_buffer.h"
#include "tensim/noc.h"
#include "tensim/tile.h"

/* sum = left + right, tile by tile: NCRISC reads from DRAM on NoC 1, the T cores add, BRISC writes to DRAM on NoC 0. Between them are
 * circular buffers of two pages, so that all three are at work at once. */
enum { TILES = 8, TILE_BYTES = 2 * TILE_DATUMS, PAGES = 2 };
enum { LEFT, RIGHT, SUM, BUFFERS };                   /* circular buffers */
enum { LEFT_BANK = 0, RIGHT_BANK = 1, SUM_BANK = 2 }; /* of DRAM, from address 0 on */

struct shared {
  uint16_t pages[BUFFERS][PAGES][TILE_DATUMS] __attribute__((aligned(64)));
};
SHARED volatile struct shared shared;

static inline struct circular_buffer buffer(unsigned number) {
  return (struct circular_buffer){number, l1_address(shared.pages[number]), TILE_BYTES, PAGES, 0};
}
