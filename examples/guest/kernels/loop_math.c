/* Math as LLK's matmul does it: 16 MVMULs in the replay buffer, a MOP that replays them once per fidelity phase. All eight
 * blocks of Dst take their turn before one comes again, so that none has to wait for what was added to it. */
#include "job.h"
#include "tensim/math.h"
#include "tensim/mop.h"

enum { RECORDED_AT = 16, PRODUCTS = 16 };

/* Behind a product: the lower half of SrcB's face; SrcA's next face, back to the upper half; the face below of SrcB,
 * SrcA's first; the other half of the sum, from the beginning of Dst; all from the beginning, and the next phase. */
enum { LOWER_HALF = 0, NEXT_COLUMN = 1, NEXT_ROW = 2, SECOND_HALF = 4, NEXT_PHASE = 5 };
enum { A_FROM_MARK = 1 << 6, A_CLEAR = 1 << 7, B_FROM_MARK = 1 << 14, B_CLEAR = 1 << 15 };
enum { DST_FROM_MARK = 1 << 10, DST_CLEAR = 1 << 11 };
#define STEP_MODE(mode, ab, dst)                                 \
  TT_SETC16(THREAD_MATRIX_MODE + (mode) * MATRIX_MODE_STEP, ab); \
  TT_SETC16(THREAD_MATRIX_DST_MODE + (mode), dst)

#define MULTIPLY(step) TTI_MVMUL(KEEP_SRC, 0, step, 0)

#if defined(TENSIM_WORMHOLE)
/* An instruction names modes 0 to 3; one with a bias has the next one take four more. */
enum { LOWER_HALF_AND_BIAS = 3 };
#define BEFORE_BIASED LOWER_HALF_AND_BIAS
#define BIASED(step) ((step) - 4)
static inline void set_up_bias(void) {
  STEP_MODE(LOWER_HALF_AND_BIAS, 8 << 8, 8);
  TTI_SETC16(THREAD_MATRIX_BIAS + LOWER_HALF_AND_BIAS, 1);
  TTI_SETC16(THREAD_MATRIX_BIAS + SECOND_HALF, 1);
  TTI_SETC16(THREAD_MATRIX_BIAS + NEXT_PHASE, 1);
}
#else
#define BEFORE_BIASED LOWER_HALF
#define BIASED(step) (step)
static inline void set_up_bias(void) {}
#endif

static inline void set_up_steps(unsigned phases) {
  STEP_MODE(LOWER_HALF, 8 << 8, 8);
  STEP_MODE(NEXT_COLUMN, 16 | B_FROM_MARK, 8);
  STEP_MODE(NEXT_ROW, A_FROM_MARK | 32 << 8 | B_FROM_MARK, 8);
  STEP_MODE(SECOND_HALF, 32 | A_FROM_MARK | 48 << 8 | B_FROM_MARK, DST_FROM_MARK);
  STEP_MODE(NEXT_PHASE, A_CLEAR | A_FROM_MARK | B_CLEAR | B_FROM_MARK,
            DST_CLEAR | DST_FROM_MARK | (phases > 1 ? PHASE_NEXT : 0));
  set_up_bias();
}

/* Four faces of the result, but for the last product. */
#define HALF_BUT_LAST()  \
  MULTIPLY(LOWER_HALF);  \
  MULTIPLY(NEXT_COLUMN); \
  MULTIPLY(LOWER_HALF);  \
  MULTIPLY(NEXT_ROW);    \
  MULTIPLY(LOWER_HALF);  \
  MULTIPLY(NEXT_COLUMN); \
  MULTIPLY(BEFORE_BIASED)

/* With one phase the last product gives SrcA back, with more an instruction behind them all does. */
static inline void record(unsigned phases) {
  RECORD(RECORDED_AT, PRODUCTS);
  HALF_BUT_LAST();
  MULTIPLY(BIASED(SECOND_HALF));
  HALF_BUT_LAST();
  TT_MVMUL(phases > 1 ? KEEP_SRC : RELEASE_SRC_A, 0, BIASED(NEXT_PHASE), 0);
  mop_sync();
  mop_loop(phases, TT_OP_REPLAY(RECORDED_AT, PRODUCTS, 0, 0),
           phases > 1 ? TT_OP_SETRWC(RELEASE_SRC_A, 0, 0, 0, 0, 0xF) : TT_OP_NOP);
}

int main(void) {
  const struct formats formats = job.formats;
  const unsigned phases = job.phases;
  const unsigned calls = job.depth;
  math_set_up(&formats);
  set_up_steps(phases);
  record(phases);
  WAIT_FOR_DST();
  clear_dst();
  for (unsigned call = 0; call < calls; ++call) {
    set_dst_row(0);
    TTI_MOP(1, 0, 0);
    RELEASE(RELEASE_SRC_B);
  }
  GIVE_DST();
  return 0;
}
