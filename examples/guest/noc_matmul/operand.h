/* Brings the blocks of an operand to its circular buffer, by multicast or not. */
#include "shared.h"

struct operand {
  unsigned noc;
  struct circular_buffer buffer;
  struct channel* channel;
  unsigned sender_x, sender_y; /* the first of the row or column */
  struct noc_area receivers;   /* the others */
};

/* Everybody for itself. */
static inline void read_page(struct operand* operand, struct noc_place from) {
  cb_reserve_back(&operand->buffer, 1);
  noc_read(operand->noc, from, (void*)cb_address(&operand->buffer), BLOCK_BYTES);
  noc_read_barrier(operand->noc);
  cb_push_back(&operand->buffer, 1);
}

/* The page goes to the same address of all receivers when they have room, and then the news: multicasts of a tile stay in order. */
static inline void send_page(struct operand* operand, struct noc_place from, unsigned step) {
  void* const page = (void*)cb_address(&operand->buffer);
  cb_reserve_back(&operand->buffer, 1);
  noc_writes_sent(operand->noc); /* of the step before: from this page, and from the semaphore */
  noc_read(operand->noc, from, page, BLOCK_BYTES);
  noc_semaphore_wait(&operand->channel->ready, (step + 1) * (SIDE - 1));
  noc_read_barrier(operand->noc);
  noc_multicast(operand->noc, page, operand->receivers, page, BLOCK_BYTES, NOC_NOT_TO_SELF);
  noc_semaphore_set(&operand->channel->sent, step + 1);
  noc_semaphore_set_multicast(operand->noc, &operand->channel->sent, operand->receivers, NOC_NOT_TO_SELF);
  cb_push_back(&operand->buffer, 1);
}

static inline void receive_page(struct operand* operand, unsigned step) {
  cb_reserve_back(&operand->buffer, 1);
  noc_semaphore_inc(operand->noc, &operand->channel->ready, operand->sender_x, operand->sender_y, 1);
  noc_semaphore_wait_min(&operand->channel->sent, step + 1);
  cb_push_back(&operand->buffer, 1);
}

static inline void bring_page(struct operand* operand, struct noc_place from, unsigned step) {
  if (shared.multicasts == 0)
    read_page(operand, from);
  else if (operand->sender_x == noc_my_x() && operand->sender_y == noc_my_y())
    send_page(operand, from, step);
  else
    receive_page(operand, step);
}
