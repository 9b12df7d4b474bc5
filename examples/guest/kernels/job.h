/* What the kernels are asked to do. A host writes it to L1, with the tiles, and lets BRISC go. */
#include "tensim/clock.h"
#include "tensim/core.h"
#include "tensim/formats.h"
#include "tensim/tile.h"

enum operation { ADD, SUBTRACT, MULTIPLY_DATUMS };
enum broadcast { BROADCAST_NONE, BROADCAST_COLUMN, BROADCAST_ROW, BROADCAST_SCALAR }; /* of the right operand */
enum pool { SUM, MAXIMUM };
enum reduced { ROWS, COLUMNS, BOTH }; /* to one row, to one column, to one datum */
/* Of vector_unary_math.c. */
enum vector_function {
  EXP,
  RECIPROCAL,
  SQRT,
  SIGMOID,
  TANH,
  SIGMOID_BY_TABLE, /* SFPLUTFP32 */
  TANH_BY_TABLE,    /* SFPLUT */
  TO_INT32,
  TO_INT32_AND_BACK,
  TO_BF16,
  TO_UINT8,
  TO_INT8,
  TO_UINT16,
};
/* Of vector_binary_math.c; integers are those of FP32, cut off. */
enum vector_operation {
  INTEGER_ADD,
  INTEGER_AND,
  INTEGER_OR,
  INTEGER_XOR,
  SHIFT_LEFT,
  SHIFT_RIGHT, /* keeps the sign */
  IS_LESS,
  IS_EQUAL,
  MINIMUM,
  MAXIMUM_OF_TWO,
  WHERE, /* left is not zero: right, or else the third operand */
};
enum order { UPWARDS, DOWNWARDS }; /* of vector_swap_math.c */
enum activation { NO_ACTIVATION, RELU, SIGMOID_ACTIVATION, TANH_ACTIVATION };
struct job {
  struct formats formats;
  uint32_t phases;         /* fidelity phases, 1 to 4 */
  uint32_t operation;      /* or pool, vector_function, vector_operation, order, activation */
  uint32_t shape;          /* broadcast, or what is reduced */
  uint32_t is_transposed;  /* SrcA is, face by face, as it is unpacked */
  uint32_t blocks;         /* how often math gives Dst to pack */
  uint32_t tiles;          /* of a block */
  uint32_t depth;          /* of a product of matrices of tiles; calls of a loop; operands of a vector_operation */
  uint32_t halves;         /* of Dst that take turns: 1 or 2 */
  uint32_t row_bytes;      /* of a matrix that is not in tiles */
  uint32_t left, right;    /* L1 addresses of operands */
  uint32_t out;            /* and of the result */
  uint32_t out_of_phase;   /* math begins with the other bank of Src than unpack */
  uint32_t config_is_zero; /* the host says that configuration has been cleared */
  uint32_t start, end;     /* the clock, when unpack begins and when the result is in L1 */
  uint32_t packed;         /* it is */
};
SHARED volatile struct job job;

/* The row of Dst where a block begins. */
static inline uint32_t dst_row_of(unsigned block) {
  return block % job.halves * (job.formats.dst_is_32_bits ? DST_HALF_ROWS / 2 : DST_HALF_ROWS);
}

/* Unpack, when it is set up. What went before is the cores' start; on Blackhole they clear their RAM first. */
static inline void begin(void) {
  job.start = wall_clock();
}
/* Pack, at its end. */
static inline void finish(void) {
  tensix_sync();
  job.end = wall_clock();
  job.packed = 1;
}
