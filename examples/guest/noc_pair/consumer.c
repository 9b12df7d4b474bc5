#include "shared.h"

int main(void) {
  noc_init(0);
  uint32_t sum = 0;
  for (unsigned page = 0; page < PAGES; ++page) {
    noc_semaphore_wait_min(ARRIVED, page + 1); /* fences: what is read now is not an old line of the data cache */
    for (unsigned i = 0; i < PAGE_WORDS; ++i)
      sum += shared.slots[page % SLOTS][i];
    noc_semaphore_inc(0, EMPTIED, PRODUCER_X, ROW, 1);
  }
  shared.sum = sum;
  noc_atomic_barrier(0);
  return 0;
}
