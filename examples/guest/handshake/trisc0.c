/* Unpack. */
#include "shared.h"

int main(void) {
  semaphore_init(SEM_UNPACK_OPERAND_SYNC, IN_FLIGHT, 0);
  semaphore_init(SEM_MATH_PACK, IN_FLIGHT, 0);
  semaphore_init(SEM_PACK_DONE, IN_FLIGHT, IN_FLIGHT);
  tensix_sync();
  shared.ready = 1;
  clear_count();
  for (int i = 0; i < ITERATIONS; ++i) {
    TAKE(SEM_PACK_DONE);
    work();
    GIVE(SEM_UNPACK_OPERAND_SYNC);
  }
  finish(0);
  return 0;
}
