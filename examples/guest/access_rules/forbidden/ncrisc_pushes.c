/* NCRISC has no instruction buffer. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  TT_NOP;
  return 0;
}
