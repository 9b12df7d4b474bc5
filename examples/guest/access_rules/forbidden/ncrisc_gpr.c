/* NCRISC does not see the GPRs. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  gpr_write(0, 1);
  return 0;
}
