#include "tensim/core.h"

/* More than the FIFOs of a thread and the core's store queue hold together. */
enum { PUSHES = 100, FIRST_PUSHES = 8, LATE = 1000 };

struct shared {
  uint32_t finished_at;
  uint32_t armed;
  uint32_t done;
  uint32_t first_pushes; /* cycles that the first pushes took, */
  uint32_t all_pushes;   /* and all of them */
  uint32_t posted_at;
  uint32_t drained_at;
};
SHARED volatile struct shared shared;
