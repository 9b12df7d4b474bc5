/* Unpack for a product with a bias: the tile of the bias to SrcB, and then pairs of tiles, the left one's to SrcB, the
 * right one's to SrcA. The bias lies behind the right operand. */
#include "job.h"
#include "tensim/unpack.h"

int main(void) {
  const struct formats formats = job.formats;
  const uint32_t bytes = tile_bytes(formats.in);
  unpack_set_up(&formats, UNPACK_AS_IT_IS, TILE_DATUMS);
  begin();
  for (unsigned row = 0; row < job.blocks; ++row) {
    unpack_b(job.right + job.depth * bytes);
    for (unsigned k = 0; k < job.depth; ++k)
      unpack_ab(job.right + k * bytes, job.left + (row * job.depth + k) * bytes);
  }
  return 0;
}
