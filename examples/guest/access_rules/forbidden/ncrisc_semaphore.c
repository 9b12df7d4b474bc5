/* NCRISC does not see the semaphores. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  return (int)semaphore_read(0);
  return 0;
}
