/* What the guest headers say of the core, compared with constants, so that the compiler may decide what it can. */
#include "tensim/core.h"

struct shared {
  uint32_t number, is_brisc, is_ncrisc, is_nonzero;
};
SHARED volatile struct shared shared;

int main(void) {
  shared.number = this_core();
  shared.is_brisc = this_core() == BRISC;
  shared.is_ncrisc = this_core() == NCRISC;
  shared.is_nonzero = this_core() ? 1 : 0;
  return 0;
}
