/* Pack of the handshake, with its SEMPOST forgotten: unpack runs out after two, and then everybody waits. */
#include "../handshake/shared.h"

int main(void) {
  wait_for(&shared.ready, 1);
  clear_count();
  for (int i = 0; i < ITERATIONS; ++i) {
    TAKE(SEM_MATH_PACK);
    work();
    /* GIVE(SEM_PACK_DONE); */
  }
  finish(2);
  return 0;
}
