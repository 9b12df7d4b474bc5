/* Instruction buffers cannot be read. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  return (int)REGISTER(INSTRN_BUF_BASE);
  return 0;
}
