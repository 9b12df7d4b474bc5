#include "tensim/noc.h"

/* Ways to get semaphores in L1 wrong, and right: tile (0, 0) sends to (1, 0), carelessly, and (0, 1) to (1, 1), with care. */
enum { WORDS = 1024, NEW = 0x600D };

struct shared {
  uint32_t wrong; /* the receiver: words that were old when it looked */
  struct noc_semaphore sent;
  uint32_t beside[4] __attribute__((aligned(16))); /* four words of one slot */
  uint32_t data[WORDS] __attribute__((aligned(64)));
};
SHARED volatile struct shared shared;
#define SENT ((struct noc_semaphore*)&shared.sent)

static inline unsigned is_careful(void) {
  return noc_my_y() == 1;
}
static inline unsigned is_sender(void) {
  return noc_my_x() == 0;
}
