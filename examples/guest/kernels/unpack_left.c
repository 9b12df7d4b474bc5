/* Unpack: tiles of the left operand to SrcA. */
#include "job.h"
#include "tensim/unpack.h"

int main(void) {
  const struct formats formats = job.formats;
  unpack_set_up(&formats, job.is_transposed ? UNPACK_TRANSPOSED : UNPACK_AS_IT_IS, TILE_DATUMS);
  begin();
  for (unsigned tile = 0; tile < job.blocks * job.tiles; ++tile)
    unpack_a(job.left + tile * tile_bytes(formats.in));
  return 0;
}
