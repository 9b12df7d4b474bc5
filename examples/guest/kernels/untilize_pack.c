/* Pack: each tile as 32 rows of 32, row by row. */
#include "job.h"
#include "tensim/untilize.h"

int main(void) {
  const struct formats formats = job.formats;
  untilize_set_up(&formats);
  for (unsigned block = 0; block < job.blocks; ++block)
    untilize_tile(job.out + block * tile_bytes(formats.out), dst_row_of(block));
  finish();
  return 0;
}
