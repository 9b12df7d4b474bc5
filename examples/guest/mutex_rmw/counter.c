/* T0 and T2: a core reads a word of configuration, changes its half and writes the word back. With the mutex nothing is
 * lost; without it, what the other has written in between is. */
#include "shared.h"
#include "tensim/mutex.h"

static void update(unsigned word, uint32_t one) {
  cfg_write(0, word, cfg_read(0, word) + one);
}

int main(void) {
  const unsigned thread = this_core() - TRISC0;
  const uint32_t one = thread == 0 ? 1 : 1 << 16;
  wait_for(&shared.go, 1);
  for (int i = 0; i < UPDATES; ++i) {
    mutex_acquire_for_core(MUTEX_REG_RMW);
    update(ALU_FORMAT_SPEC, one);
    mutex_release_for_core(MUTEX_REG_RMW);
  }
  for (int i = 0; i < UPDATES; ++i)
    update(OTHER_WORD, one);
  consume(cfg_read(0, OTHER_WORD)); /* the stores have landed */
  shared.done[thread] = 1;
  return 0;
}
