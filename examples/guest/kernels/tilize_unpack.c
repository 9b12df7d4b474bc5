/* Unpack: tiles that stand side by side in a matrix, row by row, to SrcA. */
#include "job.h"
#include "tensim/tilize.h"

int main(void) {
  const struct formats formats = job.formats;
  tilize_unpack_set_up(&formats, job.row_bytes);
  begin();
  for (unsigned tile = 0; tile < job.blocks; ++tile)
    tilize_unpack(job.left + tile * 32 * datum_bytes(formats.in), job.row_bytes, datum_bytes(formats.in));
  return 0;
}
