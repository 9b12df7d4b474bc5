/* Math: SrcA to Dst. If the unpacker has transposed every face, faces 1 and 2 change places. */
#include "job.h"
#include "tensim/copy.h"

static inline unsigned place_of(unsigned face) {
  return job.is_transposed ? face % 2 * 2 + face / 2 : face;
}

int main(void) {
  const struct formats formats = job.formats;
  math_set_up(&formats);
  for (unsigned block = 0; block < job.blocks; ++block) {
    WAIT_FOR_DST();
    set_dst_row(dst_row_of(block));
    for (unsigned face = 0; face < 4; ++face)
      copy_face(16 * face, 16 * place_of(face));
    RELEASE(RELEASE_SRC_A);
    GIVE_DST();
  }
  return 0;
}
