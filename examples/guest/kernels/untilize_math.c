/* Math: SrcA to Dst, for a packer that takes rows of faces that are side by side. */
#include "job.h"
#include "tensim/untilize.h"

int main(void) {
  const struct formats formats = job.formats;
  math_set_up(&formats);
  untilize_dst_set_up();
  for (unsigned block = 0; block < job.blocks; ++block) {
    WAIT_FOR_DST();
    set_dst_row(dst_row_of(block));
    for (unsigned face = 0; face < 4; ++face)
      copy_face(16 * face, 16 * face);
    RELEASE(RELEASE_SRC_A);
    GIVE_DST();
  }
  return 0;
}
