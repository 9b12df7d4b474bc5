/* No mailbox leads to NCRISC or from it. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  mailbox_send(BRISC, 1);
  return 0;
}
