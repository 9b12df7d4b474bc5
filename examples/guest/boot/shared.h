#include "tensim/core.h"

/* What BRISC writes to a core's word, and what the core writes back. */
enum { GO = 0x80, DONE = 0x00 };
enum { NUMBERS = 64 };

struct shared {
  uint32_t finished_at;
  uint32_t total;
  uint32_t subordinate_sync[CORE_COUNT];
  uint32_t sum[CORE_COUNT];
  uint32_t numbers[NUMBERS];
};
SHARED volatile struct shared shared;
