/* Makes two matrices, lets the T cores multiply them, and compares with the product in integers. */
#include "shared.h"
#include "tensim/bf16.h"
#include "tensim/clock.h"
#include "tensim/print.h"
#include "tensim/reset.h"

/* Elements are n/128 with n from -255 to 255: exact in BF16, with all of its bits in use. Products are in 1/16384. */
enum { LARGEST = 255 };

/* The core's own RAM is faster, but on Wormhole it holds only one of them. */
static int16_t left[SIZE][SIZE];
static int16_t right[SIZE][SIZE] __attribute__((section(".l1data"))) = {{0}};

static int16_t next_number(int largest) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return (int16_t)((int)(state >> 16) % (2 * largest + 1) - largest);
}

static unsigned place_in_tile(unsigned row, unsigned column) {
  const unsigned face = row / 16 * 2 + column / 16;
  return face * FACE_DATUMS + row % 16 * 16 + column % 16;
}

/* In 1/16384; what is smaller is cut off. */
static int from_bf16(uint16_t bits) {
  const int exponent = (bits >> 7 & 0xFF) - 127 - 7 + 14;
  const int mantissa = 0x80 | (bits & 0x7F);
  if (exponent < -7) return 0;
  const int magnitude = exponent >= 0 ? mantissa << exponent : mantissa >> -exponent;
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

static void fill(int16_t matrix[SIZE][SIZE], volatile uint16_t* tile) {
  const int largest = shared.largest == 0 ? LARGEST : (int)shared.largest;
  for (unsigned row = 0; row < SIZE; ++row)
    for (unsigned column = 0; column < SIZE; ++column) {
      matrix[row][column] = next_number(largest);
      tile[place_in_tile(row, column)] = to_bf16(matrix[row][column]);
    }
}

/* How far an element may be from the exact one, in 1/1024 of the sum of its products' magnitudes. A phase takes 5 or the
 * other bits of SrcA's 8, 7 or the other bits of SrcB's. What is never taken is less than 1/16 of SrcA and 1/64 of SrcB
 * with one phase, 1/64 of SrcB with two, 1/1024 with three, nothing with four; and each phase adds to Dst twice, where
 * it is rounded to BF16, by 1/256 at most. */
static const uint16_t bounds[HIGHEST_FIDELITY + 1] = {0, 64 + 16 + 8, 16 + 16, 1 + 24, 32};

static void check(unsigned row, unsigned column) {
  int exact = 0;
  uint32_t magnitude = 0;
  for (unsigned k = 0; k < SIZE; ++k) {
    const int product = left[row][k] * right[k][column];
    exact += product;
    magnitude += (uint32_t)(product < 0 ? -product : product);
  }
  const int error = from_bf16(shared.out[place_in_tile(row, column)]) - exact;
  const uint32_t distance = (uint32_t)(error < 0 ? -error : error);
  if (distance > magnitude * bounds[fidelity_phases()] / 1024) ++shared.wrong;
  if (distance > shared.worst) shared.worst = distance;
}

static void multiply_on_t_cores(void) {
  clear_config();
  semaphore_init(SEM_MATH_PACK, 1, 0); /* long done when a T core gets to its first instruction */
  shared.packed = 0;
  const uint32_t start = wall_clock();
  release_cores(SOFT_RESET_TRISCS);
  wait_for(&shared.packed, 1);
  shared.cycles = wall_clock() - start;
}

int main(void) {
  fill(left, shared.left);
  fill(right, shared.right);
  multiply_on_t_cores();
  shared.wrong = shared.worst = 0;
  for (unsigned row = 0; row < SIZE; ++row)
    for (unsigned column = 0; column < SIZE; ++column)
      check(row, column);
  print("32x32x32 in %d fidelity phases: %d cycles with the T cores' start\n", fidelity_phases(), shared.cycles);
  print("%d elements are wrong, the largest error is %d/16384\n", shared.wrong, shared.worst);
  return 0;
}
