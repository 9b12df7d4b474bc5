/* Configuration takes whole words. */
#include "tensim/config.h"
#include "tensim/mailbox.h"
#include "tensim/semaphore.h"

int main(void) {
  *(volatile uint8_t*)TENSIX_CFG_BASE = 1;
  return 0;
}
