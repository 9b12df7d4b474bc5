/* There are eight semaphores. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  semaphore_post(8);
  return 0;
}
