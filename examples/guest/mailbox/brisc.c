/* A number goes round: BRISC, TRISC0, TRISC1, TRISC2, BRISC; each adds one. */
#include "shared.h"
#include "tensim/assert.h"
#include "tensim/clock.h"
#include "tensim/mailbox.h"
#include "tensim/print.h"
#include "tensim/reset.h"

int main(void) {
  release_cores(SOFT_RESET_TRISCS);
  uint32_t number = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    const uint32_t start = wall_clock();
    mailbox_send(TRISC0, number);
    number = mailbox_receive(TRISC2) + 1;
    shared.round_trip = wall_clock() - start;
  }
  shared.answer = number;
  ASSERT(number == 4 * ROUNDS);

  /* A mailbox is a queue: four words wait in it, in order, and to be asked for them costs nothing. */
  ASSERT(!mailbox_has_mail(BRISC));
  for (uint32_t i = 1; i <= UNREAD; ++i)
    mailbox_send(BRISC, i);
  while (!mailbox_has_mail(BRISC)) {
  }
  for (uint32_t i = 0; i < UNREAD; ++i)
    shared.order = shared.order << 4 | mailbox_receive(BRISC);
  shared.finished_at = wall_clock();
  print("%d after %d rounds of %d cycles\n", number, ROUNDS, shared.round_trip);
  return 0;
}
