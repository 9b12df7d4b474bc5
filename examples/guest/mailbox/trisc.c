/* Hands the number on, plus one. */
#include "shared.h"
#include "tensim/mailbox.h"

int main(void) {
  const enum core_id core = this_core();
  const enum core_id next = core == TRISC2 ? BRISC : core + 1;
  for (int round = 0; round < ROUNDS; ++round)
    mailbox_send(next, mailbox_receive(core - 1) + 1);
  return 0;
}
