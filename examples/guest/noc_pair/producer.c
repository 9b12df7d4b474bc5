#include "shared.h"

int main(void) {
  noc_init(0);
  for (unsigned page = 0; page < PAGES; ++page) {
    volatile uint32_t* const slot = shared.slots[page % SLOTS];
    /* The slot has been emptied over there, so what was sent from here has long left. */
    if (page >= SLOTS) noc_semaphore_wait_min(EMPTIED, page - SLOTS + 1);
    for (unsigned i = 0; i < PAGE_WORDS; ++i)
      slot[i] = page * PAGE_WORDS + i;
    store_landed(&slot[PAGE_WORDS - 1]);
    noc_write(0, slot, noc_tile(CONSUMER_X, ROW, slot), PAGE_WORDS * sizeof *slot);
    /* The same NoC and the same virtual channel: it does not overtake the page. */
    noc_semaphore_inc(0, ARRIVED, CONSUMER_X, ROW, 1);
  }
  noc_write_barrier(0);
  noc_atomic_barrier(0);
  return 0;
}
