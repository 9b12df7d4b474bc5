/* Math, datum by datum: 8 instructions per tile and fidelity phase, of 8 rows each. */
#include "job.h"
#include "tensim/math.h"

/* What follows 8 rows: the lower half of the face, the face to the right, the first one of the next row of faces, and that
 * with the next phase. SrcA goes on by 8 rows, SrcB so that it is where the broadcast row or column is. */
enum { LOWER_HALF, RIGHT_FACE, LOWER_FACES, NEXT_PHASE, STEPS };
static const uint8_t steps_of_b[][STEPS] = {
    [BROADCAST_NONE] = {8, 8, 8, 8},
    [BROADCAST_COLUMN] = {8, 56, 24, 24}, /* faces 0, 0, 2, 2 */
    [BROADCAST_ROW] = {0, 16, 48, 48},    /* the first row of faces 0, 1, 0, 1 */
    [BROADCAST_SCALAR] = {0, 0, 0, 0},
};

static uint32_t word_of(unsigned step, uint32_t dst_row) {
  switch (job.operation) {
    case ADD: return TT_OP_ELWADD(KEEP_SRC, 0, job.shape, step, dst_row);
    case SUBTRACT: return TT_OP_ELWSUB(KEEP_SRC, 0, job.shape, step, dst_row);
    default: return TT_OP_ELWMUL(KEEP_SRC, 0, job.shape, step, dst_row); /* adds to Dst */
  }
}

int main(void) {
  const struct formats formats = job.formats;
  math_set_up(&formats);
  for (unsigned step = 0; step < STEPS; ++step)
    MATRIX_MODE(step, 8, steps_of_b[job.shape][step]);
  MATRIX_PHASE_MODE(NEXT_PHASE, PHASE_NEXT);

  static const uint8_t order[8] = {LOWER_HALF, RIGHT_FACE, LOWER_HALF, LOWER_FACES,
                                   LOWER_HALF, RIGHT_FACE, LOWER_HALF, NEXT_PHASE};
  uint32_t words[8];
  for (unsigned i = 0; i < 8; ++i)
    words[i] = word_of(order[i], 8 * i);

  const unsigned phases = job.operation == MULTIPLY_DATUMS ? job.phases : 1;
  for (unsigned block = 0; block < job.blocks; ++block) {
    WAIT_FOR_DST();
    clear_dst_half(block % job.halves);
    set_dst_row(dst_row_of(block));
    for (unsigned phase = 0; phase < phases; ++phase)
      for (unsigned i = 0; i < 8; ++i)
        TENSIM_PUSH(words[i]);
    RELEASE(RELEASE_SRC_AB);
    GIVE_DST();
  }
  return 0;
}
