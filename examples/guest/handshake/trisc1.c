/* Math. */
#include "shared.h"

int main(void) {
  wait_for(&shared.ready, 1);
  clear_count();
  for (int i = 0; i < ITERATIONS; ++i) {
    TAKE(SEM_UNPACK_OPERAND_SYNC);
    work();
    GIVE(SEM_MATH_PACK);
  }
  finish(1);
  return 0;
}
