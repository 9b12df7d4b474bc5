/* Math: sum or maximum of a tile's rows, columns, or both. SrcA has the tile, transposed face by face if columns are
 * reduced; the first row of SrcB has the scale. A pool makes a face of SrcA a row of Dst. */
#include "job.h"
#include "tensim/math.h"

enum { STAY, SAME_FACE_NEXT_PHASE, NEXT_FACE };
enum { MOVE_4_ROWS_FROM_DST = 2, MOVE_4_ROWS_TO_A = 2, MOVE_4_ROWS_TO_DST = 4 };
enum { SCRATCH_OF_B = 16, SCRATCH_OF_DST = TILE_ROWS }; /* TRNSPSRCB transposes rows 16 to 31 */

/* A face of SrcA into a row of Dst, to what is there. */
static void pool(uint32_t dst_row) {
  if (job.operation == MAXIMUM) {
    TT_GMPOOL(KEEP_SRC, 1, NEXT_FACE, 0, dst_row);
    return;
  }
  for (unsigned phase = 1; phase < job.phases; ++phase)
    TT_GAPOOL(KEEP_SRC, 1, SAME_FACE_NEXT_PHASE, 0, dst_row);
  TT_GAPOOL(KEEP_SRC, 1, NEXT_FACE, 0, dst_row);
}

static uint32_t dst_row_of_face(unsigned face) {
  switch (job.shape) {
    case ROWS: return face % 2 * 16;
    case COLUMNS: return face / 2 * 32;
    default: return SCRATCH_OF_DST;
  }
}

/* A face of Dst, transposed, to SrcB. */
static void transpose_to_b(uint32_t dst_row) {
  for (unsigned row = 0; row < 16; row += 4)
    TT_MOVD2B(0, SCRATCH_OF_B + row, STAY, MOVE_4_ROWS_FROM_DST, dst_row + row);
  TTI_TRNSPSRCB;
}
static void row_to_column(uint32_t dst_row) {
  transpose_to_b(dst_row);
  for (unsigned row = 0; row < 16; row += 4)
    TT_MOVB2D(0, SCRATCH_OF_B + row, STAY, MOVE_4_ROWS_TO_DST, dst_row + row);
}
static void reduce_scratch_row(void) {
  transpose_to_b(SCRATCH_OF_DST);
  for (unsigned row = 0; row < 16; row += 4)
    TT_MOVB2A(row, STAY, MOVE_4_ROWS_TO_A, SCRATCH_OF_B + row);
  TTI_GATESRCRST(1, 1); /* what was read of SrcB before is not to be kept */
  pool(0);
}

int main(void) {
  const struct formats formats = job.formats;
  math_set_up(&formats);
  MATRIX_MODE(STAY, 0, 0);
  MATRIX_MODE(SAME_FACE_NEXT_PHASE, 0, 0);
  MATRIX_PHASE_MODE(SAME_FACE_NEXT_PHASE, PHASE_NEXT);
  MATRIX_MODE(NEXT_FACE, 16, 0);
  MATRIX_PHASE_MODE(NEXT_FACE, PHASE_FIRST);

  WAIT_FOR_DST();
  clear_dst();
  for (unsigned face = 0; face < 4; ++face)
    pool(dst_row_of_face(face));
  if (job.shape == COLUMNS) {
    row_to_column(0);
    row_to_column(32);
  } else if (job.shape == BOTH) {
    reduce_scratch_row();
  }
  RELEASE(RELEASE_SRC_AB);
  GIVE_DST();
  return 0;
}
