/* Hazard: a flag that overtakes its data. Requests stay in order on one virtual channel of one NoC, and nowhere else: here data goes
 * over NoC 1, which goes to the left and has the whole row before it, the flag over NoC 0, to the neighbour on the right. With care the
 * sender waits until the data has arrived. */
#include "shared.h"

static void send(unsigned y) {
  for (unsigned i = 0; i < WORDS; ++i)
    shared.data[i] = NEW;
  store_landed(&shared.data[WORDS - 1]);
  noc_write(1, shared.data, noc_tile(1, y, shared.data), sizeof shared.data);
  if (is_careful()) noc_write_barrier(1);
  noc_semaphore_set_remote(0, SENT, 1, y, 1);
  noc_write_barrier(0);
  noc_write_barrier(1);
}

static void receive(void) {
  noc_semaphore_wait(SENT, 1);
  uint32_t wrong = 0;
  for (unsigned i = 0; i < WORDS; ++i)
    wrong += shared.data[i] != NEW;
  shared.wrong = wrong;
}

int main(void) {
  noc_init(0);
  noc_init(1);
  if (is_sender())
    send(noc_my_y());
  else
    receive();
  return 0;
}
