/* Blackhole: TDMA-RISC is not mapped for NCRISC. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  REGISTER(0xFFB11000u) = 0;
  return 0;
}
