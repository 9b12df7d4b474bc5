/* Unpack: the operands of each block, tile by tile, to SrcA. Of those behind the left one, all tiles of one lie behind
 * all of the one before. */
#include "job.h"
#include "tensim/unpack.h"

static uint32_t address_of(unsigned operand, unsigned tile, uint32_t bytes) {
  return operand == 0 ? job.left + tile * bytes : job.right + ((operand - 1) * job.blocks + tile) * bytes;
}

int main(void) {
  const struct formats formats = job.formats;
  unpack_set_up(&formats, UNPACK_AS_IT_IS, TILE_DATUMS);
  begin();
  for (unsigned tile = 0; tile < job.blocks; ++tile)
    for (unsigned operand = 0; operand < job.depth; ++operand)
      unpack_a(address_of(operand, tile, tile_bytes(formats.in)));
  return 0;
}
