/* Unpack: a tile of the left operand to SrcA and one of the right to SrcB, tile by tile. */
#include "job.h"
#include "tensim/unpack.h"

int main(void) {
  const struct formats formats = job.formats;
  unpack_set_up(&formats, job.is_transposed ? UNPACK_TRANSPOSED : UNPACK_AS_IT_IS, TILE_DATUMS);
  begin();
  for (unsigned tile = 0; tile < job.blocks * job.tiles; ++tile) {
    const uint32_t offset = tile * tile_bytes(formats.in);
    unpack_ab(job.left + offset, job.right + offset);
  }
  return 0;
}
