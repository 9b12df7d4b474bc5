/* A T core sees its own PCBuf only, at the first address. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  return (int)REGISTER(0xFFE90000u);
  return 0;
}
