/* A T core that stores to another thread's instruction buffer hangs. The store waits in the core's queue for ever; the
 * core itself stands still when the queue has no room for the next ones. */
#include "tensim/core.h"
#include "tensim/tensix_instructions.h"

SHARED volatile uint32_t shared[8][4]; /* 16 bytes apart: stores closer together would be merged into one */

int main(void) {
  push_to_thread(1, TT_OP_NOP);
  for (unsigned i = 0; i < 8; ++i)
    shared[i][0] = i;
  return 0;
}
