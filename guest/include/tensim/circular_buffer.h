/* Pages of L1 that one core of a tile fills and another one empties, in turn: reader to compute, compute to writer. Counts of pages
 * pushed and popped stand in registers of an overlay stream, as in tt-metal, which all five cores and the NoC reach, and which no cache
 * holds. A push is a load, an addition and a store: each buffer has exactly one core that pushes and one that pops. */
#ifndef TENSIM_CIRCULAR_BUFFER_H
#define TENSIM_CIRCULAR_BUFFER_H

#include "tensim/core.h"
#include "tensim/noc_registers.h"

/* One end of it: each of the two cores has its own, with the same first four members. */
struct circular_buffer {
  uint32_t number; /* of the stream */
  uint32_t base;
  uint32_t page_bytes;
  uint32_t pages;
  uint32_t page; /* that this end is at */
};

#define STREAM_REGISTER(stream, offset) REGISTER(STREAM_BASE + (stream) * STREAM_STRIDE + (offset))
#define CB_PUSHED(number) STREAM_REGISTER(number, STREAM_REMOTE_DEST_BUF_SIZE)
#define CB_POPPED(number) STREAM_REGISTER(number, STREAM_REMOTE_DEST_BUF_START)

/* One core, before anybody uses it: registers are what the last program has left. */
static inline void cb_clear(unsigned number) {
  CB_PUSHED(number) = 0;
  CB_POPPED(number) = 0;
  consume(CB_PUSHED(number));
}
/* Counts wrap at 16 bits; pages that are in it. */
static inline uint32_t cb_filled(const struct circular_buffer* buffer) {
  return (CB_PUSHED(buffer->number) - CB_POPPED(buffer->number)) & 0xFFFFu;
}
static inline uint32_t cb_address(const struct circular_buffer* buffer) {
  return buffer->base + buffer->page * buffer->page_bytes;
}
static inline void cb_advance(struct circular_buffer* buffer, uint32_t pages) {
  buffer->page += pages;
  if (buffer->page >= buffer->pages) buffer->page -= buffer->pages;
}

/* ---- who fills it ---- */

/* Waits until so many pages are free: from cb_address() on, up to the end of the buffer. */
static inline void cb_reserve_back(const struct circular_buffer* buffer, uint32_t pages) {
  while (buffer->pages - cb_filled(buffer) < pages) {
  }
}
/* They are filled: everything has landed in L1 (noc_read_barrier(), tensix_sync() or store_landed()). */
static inline void cb_push_back(struct circular_buffer* buffer, uint32_t pages) {
  CB_PUSHED(buffer->number) = CB_PUSHED(buffer->number) + pages;
  cb_advance(buffer, pages);
}

/* ---- who empties it ---- */

/* Waits until so many pages are there, from cb_address() on. */
static inline void cb_wait_front(const struct circular_buffer* buffer, uint32_t pages) {
  while (cb_filled(buffer) < pages) {
  }
  fence(); /* what is there is read from L1, not from Blackhole's data cache */
}
/* They are empty: nobody reads them any more (noc_writes_sent(), tensix_sync()). */
static inline void cb_pop_front(struct circular_buffer* buffer, uint32_t pages) {
  CB_POPPED(buffer->number) = CB_POPPED(buffer->number) + pages;
  cb_advance(buffer, pages);
}

#endif
