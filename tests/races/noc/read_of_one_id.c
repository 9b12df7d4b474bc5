/* rule: 28 */
/* A transaction id without requests says nothing of another one. */
#include "kernel.h"

enum { ID_SHIFT = 10 };

__attribute__((always_inline)) static inline void read_under(unsigned id, volatile uint32_t* to) {
  noc_wait_for_buffer(0, NOC_READ_BUFFER);
  NOC_REGISTER(0, NOC_READ_BUFFER, NOC_PACKET_TAG) = id << ID_SHIFT;
  noc_read(0, receiver(to), to, sizeof shared.data);
}
static void wait_for_id(unsigned id) {
  while (NOC_COUNTER(0, NIU_MST_REQS_OUTSTANDING_ID + id) != 0) {
  }
  fence();
}
OPERATION first(void) {
  read_under(2, shared.other);
}
OPERATION second(void) {
  shared.result = VALUE + shared.other[0];
}
void tile_0(void) {
  read_under(1, shared.data);
  first();
  wait_for_id(1);
  UNLESS_LESS(wait_for_id(2));
  second();
  noc_read_barrier(0);
}
