/* NCRISC does not see backend configuration. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  return (int)cfg_read(0, 0);
  return 0;
}
