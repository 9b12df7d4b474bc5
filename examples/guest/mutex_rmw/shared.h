#include "tensim/config.h"
#include "tensim/core.h"

enum { UPDATES = 50 };
/* Words of configuration, bank 0. T0 counts in the lower half of each, T2 in the upper. */
enum { OTHER_WORD = 0, ALU_FORMAT_SPEC = 1 };

struct shared {
  uint32_t finished_at;
  uint32_t go;
  uint32_t done[3];
  uint32_t guarded;
  uint32_t unguarded;
};
SHARED volatile struct shared shared;
