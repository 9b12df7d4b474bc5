#include "tensim/noc.h"

/* Tile (0, 0) produces pages of numbers, tile (1, 0) adds them up. Pages go to slots of the consumer's L1 in turn; two semaphores
 * count, each in the tile that waits for it. */
enum { PAGES = 24, SLOTS = 4, PAGE_WORDS = 64, PRODUCER_X = 0, CONSUMER_X = 1, ROW = 0 };

struct shared {
  uint32_t sum;                 /* the consumer's result */
  struct noc_semaphore arrived; /* in the consumer: pages that are there */
  struct noc_semaphore emptied; /* in the producer: pages that have been added up */
  uint32_t slots[SLOTS][PAGE_WORDS] __attribute__((aligned(16)));
};
SHARED volatile struct shared shared;

/* The semaphores are 0 before anybody counts: L1 is as the host has left it. */
#define ARRIVED ((struct noc_semaphore*)&shared.arrived)
#define EMPTIED ((struct noc_semaphore*)&shared.emptied)
