/* Pack. */
#include "job.h"
#include "tensim/tilize.h"

int main(void) {
  const struct formats formats = job.formats;
  tilize_pack_set_up(&formats);
  for (unsigned block = 0; block < job.blocks; ++block)
    tilize_pack(job.out + block * tile_bytes(formats.out), dst_row_of(block));
  finish();
  return 0;
}
