/* Unpack for a product of matrices of tiles: a tile of the left one to SrcB, and it stays there while as many of the right
 * one go to SrcA as a block has. Blocks are rows of the result. */
#include "job.h"
#include "tensim/unpack.h"

int main(void) {
  const struct formats formats = job.formats;
  const uint32_t bytes = tile_bytes(formats.in);
  unpack_set_up(&formats, UNPACK_AS_IT_IS, TILE_DATUMS);
  begin();
  for (unsigned row = 0; row < job.blocks; ++row)
    for (unsigned k = 0; k < job.depth; ++k) {
      unpack_b(job.left + (row * job.depth + k) * bytes);
      for (unsigned column = 0; column < job.tiles; ++column)
        unpack_a(job.right + (k * job.tiles + column) * bytes);
    }
  return 0;
}
