/* Hazard: an old line of Blackhole's L0 data cache. What the NoC writes to L1 does not change what the cache holds, so a word that was
 * loaded before may be served again. With care the receiver flushes the cache (fence) before it looks. Wormhole has no such cache. */
#include "shared.h"
#include "tensim/clock.h"

static void send(unsigned y) {
  wait_cycles(500); /* the receiver has looked once */
  shared.data[0] = NEW;
  store_landed(&shared.data[0]);
  noc_write(0, shared.data, noc_tile(1, y, shared.data), 16);
  noc_write_barrier(0);
}

static void receive(void) {
  consume(shared.data[0]); /* now the line is in the cache */
  wait_cycles(2000);       /* long after the data has arrived */
  if (is_careful()) fence();
  shared.wrong = shared.data[0] != NEW;
}

int main(void) {
  noc_init(0);
  if (is_sender())
    send(noc_my_y());
  else
    receive();
  return 0;
}
