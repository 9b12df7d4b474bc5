/* Hazard: a word that lies elsewhere in its 16 bytes than the semaphore does. The NoC moves whole flits, and both ends of a write must
 * be equal modulo 16: in hardware nobody knows what happens otherwise, here it is a fault that says so. */
#include "shared.h"

int main(void) {
  noc_init(0);
  volatile uint32_t* const value = &shared.beside[is_careful() ? 0 : 1];
  *value = 1;
  store_landed(value);
  noc_write(0, value, noc_tile(1, noc_my_y(), &shared.sent.value), sizeof *value);
  noc_write_barrier(0);
  return 0;
}
