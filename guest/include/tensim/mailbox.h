/* Mailboxes between BRISC, TRISC0, TRISC1 and TRISC2, one for each direction; a core has at most four words unread in
 * all that it has sent. NCRISC has none. What was stored elsewhere before sending may land later than the mail: see
 * store_landed() in core.h. */
#ifndef TENSIM_MAILBOX_H
#define TENSIM_MAILBOX_H

#include "tensim/core.h"

#define MAILBOX_BASE 0xFFEC0000u
#define MAILBOX_STRIDE 0x1000u
#define MAILBOX(other) (MAILBOX_BASE + (uint32_t)(other) * MAILBOX_STRIDE)

/* Waits while four words are unread. */
static inline void mailbox_send(enum core_id to, uint32_t word) {
  REGISTER(MAILBOX(to)) = word;
}
/* Waits until there is one. */
static inline uint32_t mailbox_receive(enum core_id from) {
  const uint32_t word = REGISTER(MAILBOX(from));
  consume(word);
  return word;
}
static inline int mailbox_has_mail(enum core_id from) {
  return REGISTER(MAILBOX(from) + 4) != 0;
}

#endif
