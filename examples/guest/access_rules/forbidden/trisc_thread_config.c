/* Thread configuration is SETC16's to write; loads see it. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  REGISTER(THREAD_CFG_BASE) = 1;
  return 0;
}
