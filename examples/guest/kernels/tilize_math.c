/* Math: SrcA to Dst. */
#include "job.h"
#include "tensim/tilize.h"

int main(void) {
  const struct formats formats = job.formats;
  math_set_up(&formats);
  for (unsigned block = 0; block < job.blocks; ++block) {
    WAIT_FOR_DST();
    set_dst_row(dst_row_of(block));
    tilize_copy();
    GIVE_DST();
  }
  return 0;
}
