/* Kernels of several tiles for the race check. Each is compiled twice: as it should be, and with LESS defined, less one thing. The two
 * operations that then are a pair stand in first() and second(), so that reports name them. */
#include "tensim/noc.h"

#ifdef LESS
#define UNLESS_LESS(statement) (void)0
#else
#define UNLESS_LESS(statement) statement
#endif
#define OPERATION __attribute__((noinline)) static void

enum { WORDS = 64, VALUE = 0x600D };

struct shared {
  uint32_t result; /* VALUE if all went well */
  struct noc_semaphore sent;
  struct noc_semaphore taken;
  uint32_t data[WORDS] __attribute__((aligned(64)));
  uint32_t other[WORDS] __attribute__((aligned(64)));
};
SHARED volatile struct shared shared;
#define SENT ((struct noc_semaphore*)&shared.sent)
#define TAKEN ((struct noc_semaphore*)&shared.taken)

/* Tile (0, 0) sends, (1, 0) receives. */
static inline struct noc_place receiver(const volatile void* address) {
  return noc_tile(1, 0, address);
}
static inline void fill(volatile uint32_t* words, uint32_t value) {
  for (unsigned i = 0; i < WORDS; ++i)
    words[i] = value;
  store_landed(&words[WORDS - 1]);
}

void tile_0(void);
void tile_1(void);
void tile_2(void);
#pragma weak tile_1
#pragma weak tile_2

int main(void) {
  noc_init(0);
  noc_init(1);
  if (noc_my_x() == 0) tile_0();
  if (noc_my_x() == 1 && tile_1 != 0) tile_1();
  if (noc_my_x() == 2 && tile_2 != 0) tile_2();
  return 0;
}
