/* BRISC's instructions enter behind the MOP Expanders, and it cannot configure them either. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  REGISTER(0xFFB80000u) = 0;
  return 0;
}
