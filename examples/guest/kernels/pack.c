/* Pack: the tiles of each block. */
#include "tensim/pack.h"

#include "job.h"

int main(void) {
  const struct formats formats = job.formats;
  pack_set_up(&formats);
  for (unsigned block = 0; block < job.blocks; ++block)
    pack_tiles(job.out + block * job.tiles * tile_bytes(formats.out), dst_row_of(block), job.tiles);
  finish();
  return 0;
}
