/* The NoC: reads and writes between tiles and DRAM, multicasts, atomics, barriers, and semaphores in words of L1.
 *
 * A program that uses a NoC calls noc_init() once, before its first request. Barriers compare what this program has asked for
 * with counters of the NIU, which all cores of a tile share: so one core at a time uses a NoC. By convention that is NoC 0 for
 * BRISC and NoC 1 for NCRISC, and command buffer 0 is for writes, 1 for reads, 2 for inline writes, 3 for atomics.
 *
 * Addresses of both ends of a transfer must be equal modulo 16, between L1 and DRAM modulo NOC_FLIT_BYTES. What the core itself
 * has stored in L1 must have landed before it is sent: store_landed(). docs/software-semaphores.md has the hazards. */
#ifndef TENSIM_NOC_H
#define TENSIM_NOC_H

#include <stdbool.h>

#include "tensim/assert.h"
#include "tensim/core.h"
#include "tensim/noc_registers.h"

enum { NOC_WRITE_BUFFER, NOC_READ_BUFFER, NOC_INLINE_BUFFER, NOC_ATOMIC_BUFFER };

#define NOC_REGISTER(noc, buffer, offset) \
  REGISTER(NIU_BASE + (noc) * NIU_STRIDE + (buffer) * NOC_COMMAND_BUFFER_STRIDE + (offset))
#define NOC_COUNTER(noc, counter) NOC_REGISTER(noc, 0, NOC_STATUS + 4u * (counter))

/* ---- where things are ---- */

/* An address of a tile. `xy` is x | y << 6, as the NoC names the tile. */
struct noc_place {
  uint32_t xy;
  uint32_t address;
};

/* Tensix tiles are counted from (0, 0) over those that work, as tt-metal's logical coordinates. */
static inline uint32_t noc_xy(unsigned x, unsigned y) {
  return (NOC_WORKERS_X + x + (x < NOC_WORKERS_GAP_AT ? 0 : NOC_WORKERS_GAP)) | (NOC_WORKERS_Y + y) << 6;
}
static inline struct noc_place noc_tile(unsigned x, unsigned y, const volatile void* address) {
  return (struct noc_place){noc_xy(x, y), (uint32_t)(uintptr_t)address};
}
/* An address of a bank of DRAM, by the tile that the NoC is to reach it by. Behind the last bank there are numbers, too, which
 * would lead anywhere. */
static inline struct noc_place noc_dram(unsigned noc, unsigned bank, uint32_t address) {
  ASSERT(bank < NOC_DRAM_BANKS);
  return (struct noc_place){noc_dram_tiles[noc][bank].x | (uint32_t)noc_dram_tiles[noc][bank].y << 6,
                            noc_dram_offsets[bank] + address};
}

/* This tile, as the NoC names it, and as tiles are counted. */
static inline uint32_t noc_my_xy(void) {
  return NOC_REGISTER(0, 0, NOC_ID_LOGICAL) & 0xFFFu;
}
static inline unsigned noc_my_x(void) {
  const unsigned column = (noc_my_xy() & 63u) - NOC_WORKERS_X;
  return column < NOC_WORKERS_GAP_AT ? column : column - NOC_WORKERS_GAP;
}
static inline unsigned noc_my_y(void) {
  return (noc_my_xy() >> 6) - NOC_WORKERS_Y;
}

/* A rectangle of Tensix tiles, corners included: left is not more than right, nor top than bottom. */
struct noc_area {
  unsigned left, top, right, bottom;
};
static inline bool noc_is_inside(struct noc_area area, unsigned x, unsigned y) {
  return area.left <= x && x <= area.right && area.top <= y && y <= area.bottom;
}

/* ---- what has been asked for ---- */

struct noc_counts {
  uint32_t reads, writes, acknowledgements, posted_writes, atomics;
};
/* Weak: a program of several files has one. */
__attribute__((weak)) struct noc_counts noc_counts[2];
/* Words of L1 that the NIU reads from and writes to: inline writes of Blackhole to L1, and old values of atomics. */
__attribute__((weak, section(".l1data"), aligned(16))) volatile uint32_t noc_scratch[2][4] = {{0}};
__attribute__((weak, section(".l1data"), aligned(16))) volatile uint32_t noc_old_value[2][4] = {{0}};

/* Counters run from power-on: what they are now is where this program begins. */
static inline void noc_init(unsigned noc) {
  noc_counts[noc].reads = NOC_COUNTER(noc, NIU_MST_RD_RESP_RECEIVED);
  noc_counts[noc].writes = NOC_COUNTER(noc, NIU_MST_NONPOSTED_WR_REQ_SENT);
  noc_counts[noc].acknowledgements = NOC_COUNTER(noc, NIU_MST_WR_ACK_RECEIVED);
  noc_counts[noc].posted_writes = NOC_COUNTER(noc, NIU_MST_POSTED_WR_REQ_SENT);
  noc_counts[noc].atomics = NOC_COUNTER(noc, NIU_MST_ATOMIC_RESP_RECEIVED);
}

static inline void noc_wait_for_counter(unsigned noc, unsigned counter, uint32_t value) {
  while (NOC_COUNTER(noc, counter) != value) {
  }
  fence(); /* what has arrived is read from L1, not from Blackhole's data cache */
}
/* Everything that was to be read is in L1. */
static inline void noc_read_barrier(unsigned noc) {
  noc_wait_for_counter(noc, NIU_MST_RD_RESP_RECEIVED, noc_counts[noc].reads);
}
/* Everything that was written, but for posted writes, has arrived. */
static inline void noc_write_barrier(unsigned noc) {
  noc_wait_for_counter(noc, NIU_MST_WR_ACK_RECEIVED, noc_counts[noc].acknowledgements);
}
/* The sources of writes, posted ones included, can be used again. */
static inline void noc_writes_sent(unsigned noc) {
  noc_wait_for_counter(noc, NIU_MST_NONPOSTED_WR_REQ_SENT, noc_counts[noc].writes);
  noc_wait_for_counter(noc, NIU_MST_POSTED_WR_REQ_SENT, noc_counts[noc].posted_writes);
}
/* Every atomic has been carried out, and its old value is here. */
static inline void noc_atomic_barrier(unsigned noc) {
  noc_wait_for_counter(noc, NIU_MST_ATOMIC_RESP_RECEIVED, noc_counts[noc].atomics);
}

/* ---- requests ---- */

/* Virtual channels of ordinary requests and of multicasts, and whether an answer is wanted, as tt-metal has them. */
#define NOC_UNICAST (NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC_BUDDY)
#define NOC_MULTICAST (NOC_CMD_VC_STATIC | NOC_CMD_STATIC_VC_CLASS(2) | NOC_CMD_BRCST_PACKET | NOC_CMD_PATH_RESERVE)
#define NOC_READ (NOC_CMD_TYPE(0) | NOC_CMD_RESP_MARKED | NOC_UNICAST)
#define NOC_ATOMIC (NOC_CMD_TYPE(1) | NOC_CMD_RESP_MARKED | NOC_UNICAST)
#define NOC_POSTED_WRITE (NOC_CMD_TYPE(2) | NOC_UNICAST)
#define NOC_WRITE (NOC_POSTED_WRITE | NOC_CMD_RESP_MARKED)
#define NOC_MULTICAST_WRITE (NOC_CMD_TYPE(2) | NOC_CMD_RESP_MARKED | NOC_MULTICAST)

/* The command buffer has been taken, and its registers can be written. */
static inline void noc_wait_for_buffer(unsigned noc, unsigned buffer) {
  while (NOC_REGISTER(noc, buffer, NOC_CMD_CTRL) != 0) {
  }
}
/* `xy` may also have the start of a rectangle, 12 bits further. */
static inline void noc_set_target(unsigned noc, unsigned buffer, uint32_t xy, uint32_t address) {
  NOC_REGISTER(noc, buffer, NOC_TARG_ADDR_LO) = address;
#if defined(TENSIM_WORMHOLE)
  NOC_REGISTER(noc, buffer, NOC_TARG_ADDR_MID) = xy << 4;
#else
  NOC_REGISTER(noc, buffer, NOC_TARG_ADDR_MID) = 0;
  NOC_REGISTER(noc, buffer, NOC_TARG_ADDR_HI) = xy;
#endif
}
static inline void noc_set_return(unsigned noc, unsigned buffer, uint32_t xy, uint32_t address) {
  NOC_REGISTER(noc, buffer, NOC_RET_ADDR_LO) = address;
#if defined(TENSIM_WORMHOLE)
  NOC_REGISTER(noc, buffer, NOC_RET_ADDR_MID) = xy << 4;
#else
  NOC_REGISTER(noc, buffer, NOC_RET_ADDR_MID) = 0;
  NOC_REGISTER(noc, buffer, NOC_RET_ADDR_HI) = xy;
#endif
}
static inline void noc_go(unsigned noc, unsigned buffer, uint32_t ctrl, uint32_t length) {
  NOC_REGISTER(noc, buffer, NOC_CTRL) = ctrl;
  NOC_REGISTER(noc, buffer, NOC_AT_LEN_BE) = length;
  NOC_REGISTER(noc, buffer, NOC_CMD_CTRL) = 1;
}
static inline uint32_t noc_packet(uint32_t bytes) {
  return bytes < NOC_PACKET_BYTES ? bytes : NOC_PACKET_BYTES;
}

/* Memory of another tile to L1 of this one. It is there after noc_read_barrier(). */
static inline void noc_read(unsigned noc, struct noc_place from, volatile void* to, uint32_t bytes) {
  const uint32_t here = noc_my_xy();
  uint32_t address = (uint32_t)(uintptr_t)to;
  while (bytes != 0) {
    const uint32_t length = noc_packet(bytes);
    noc_wait_for_buffer(noc, NOC_READ_BUFFER);
    noc_set_target(noc, NOC_READ_BUFFER, from.xy, from.address);
    noc_set_return(noc, NOC_READ_BUFFER, here, address);
    noc_go(noc, NOC_READ_BUFFER, NOC_READ, length);
    ++noc_counts[noc].reads;
    from.address += length;
    address += length;
    bytes -= length;
  }
}

/* What writes of all kinds have in common: `xy` is one tile or a rectangle, `receivers` how many will acknowledge. */
static inline void noc_write_packets(unsigned noc, const volatile void* from, uint32_t xy, uint32_t address,
                                     uint32_t bytes, uint32_t ctrl, uint32_t receivers) {
  const uint32_t here = noc_my_xy();
  uint32_t source = (uint32_t)(uintptr_t)from;
  while (bytes != 0) {
    const uint32_t length = noc_packet(bytes);
    noc_wait_for_buffer(noc, NOC_WRITE_BUFFER);
    noc_set_target(noc, NOC_WRITE_BUFFER, here, source);
    noc_set_return(noc, NOC_WRITE_BUFFER, xy, address);
    noc_go(noc, NOC_WRITE_BUFFER, ctrl, length);
    if ((ctrl & NOC_CMD_RESP_MARKED) != 0) {
      ++noc_counts[noc].writes;
      noc_counts[noc].acknowledgements += receivers;
    } else {
      ++noc_counts[noc].posted_writes;
    }
    source += length;
    address += length;
    bytes -= length;
  }
}
/* L1 of this tile to another one. It has arrived after noc_write_barrier(); `from` is free after noc_writes_sent(). */
static inline void noc_write(unsigned noc, const volatile void* from, struct noc_place to, uint32_t bytes) {
  noc_write_packets(noc, from, to.xy, to.address, bytes, NOC_WRITE, 1);
}
/* The same, but nobody says when it has arrived. */
static inline void noc_write_posted(unsigned noc, const volatile void* from, struct noc_place to, uint32_t bytes) {
  noc_write_packets(noc, from, to.xy, to.address, bytes, NOC_POSTED_WRITE, 0);
}

/* A word to L1 or a register of another tile. Blackhole's inline writes do not work to L1: there it is a write of four bytes
 * from scratch memory, which must have been sent before the next one uses it. */
static inline void noc_write_word(unsigned noc, struct noc_place to, uint32_t value) {
#if defined(TENSIM_BLACKHOLE)
  if (to.address < 0xFF000000u) {
    volatile uint32_t* const word = &noc_scratch[noc][to.address / 4 % 4];
    noc_writes_sent(noc);
    *word = value;
    store_landed(word);
    noc_write(noc, word, to, sizeof *word);
    return;
  }
#endif
  noc_wait_for_buffer(noc, NOC_INLINE_BUFFER);
  noc_set_target(noc, NOC_INLINE_BUFFER, to.xy, to.address);
  NOC_REGISTER(noc, NOC_INLINE_BUFFER, NOC_AT_DATA) = value;
  noc_go(noc, NOC_INLINE_BUFFER, NOC_WRITE | NOC_CMD_WR_INLINE, 0xFu << to.address % 16);
  ++noc_counts[noc].writes;
  ++noc_counts[noc].acknowledgements;
}

/* Whether this tile receives its own multicast, if it is in the rectangle. */
enum noc_self { NOC_NOT_TO_SELF, NOC_ALSO_TO_SELF };

/* L1 of this tile to the same address of every tile of the rectangle. NoC 1 goes the other way, and begins at the other corner. */
static inline void noc_multicast(unsigned noc, const volatile void* from, struct noc_area to, volatile void* address,
                                 uint32_t bytes, enum noc_self self) {
  const uint32_t first = noc_xy(to.left, to.top);
  const uint32_t last = noc_xy(to.right, to.bottom);
  const bool leaves_out = self == NOC_NOT_TO_SELF && noc_is_inside(to, noc_my_x(), noc_my_y());
  const uint32_t tiles = (to.right - to.left + 1) * (to.bottom - to.top + 1) - (leaves_out ? 1 : 0);
  const uint32_t corners = noc == 0 ? last | first << 12 : first | last << 12;
  ASSERT(to.left <= to.right && to.top <= to.bottom);
  if (tiles == 0) return;
  noc_write_packets(noc, from, corners, (uint32_t)(uintptr_t)address, bytes,
                    NOC_MULTICAST_WRITE | (self == NOC_ALSO_TO_SELF ? NOC_CMD_BRCST_SRC_INCLUDE : 0), tiles);
}

/* ---- atomics ---- */

/* AT_LEN_BE of an increment: opcode, width (all 32 bits), and which word of its 16 bytes. */
#define NOC_INCREMENT(address) (1u << 12 | 31u << 2 | (address) / 4 % 4)

/* Adds to a word of L1 anywhere; `old` of this tile is given the value before. Many may do so at once: none is lost. */
static inline void noc_add_to(unsigned noc, struct noc_place word, uint32_t value, volatile uint32_t* old) {
  noc_wait_for_buffer(noc, NOC_ATOMIC_BUFFER);
  noc_set_target(noc, NOC_ATOMIC_BUFFER, word.xy, word.address);
  noc_set_return(noc, NOC_ATOMIC_BUFFER, noc_my_xy(), (uint32_t)(uintptr_t)old);
  NOC_REGISTER(noc, NOC_ATOMIC_BUFFER, NOC_AT_DATA) = value;
  noc_go(noc, NOC_ATOMIC_BUFFER, NOC_ATOMIC, NOC_INCREMENT(word.address));
  ++noc_counts[noc].atomics;
}
/* The same, and waits for the value before. */
static inline uint32_t noc_fetch_and_add(unsigned noc, struct noc_place word, uint32_t value) {
  noc_add_to(noc, word, value, noc_old_value[noc]);
  noc_atomic_barrier(noc);
  return noc_old_value[noc][0];
}

/* ---- semaphores: words of L1, 16 bytes apart ---- */

/* A slot of its own for each, so that a write of one never touches its neighbour. */
struct noc_semaphore {
  volatile uint32_t value;
  uint32_t unused[3];
} __attribute__((aligned(16)));

/* Of this tile. */
static inline void noc_semaphore_set(struct noc_semaphore* semaphore, uint32_t value) {
  semaphore->value = value;
  store_landed(&semaphore->value);
}
static inline void noc_semaphore_wait(const struct noc_semaphore* semaphore, uint32_t value) {
  wait_for(&semaphore->value, value);
}
static inline void noc_semaphore_wait_min(const struct noc_semaphore* semaphore, uint32_t value) {
  while (load_fresh(&semaphore->value) < value) {
  }
}
/* The one of tile (x, y) that is at the same address there: all tiles have the same program. */
static inline void noc_semaphore_inc(unsigned noc, struct noc_semaphore* semaphore, unsigned x, unsigned y,
                                     uint32_t value) {
  noc_add_to(noc, noc_tile(x, y, &semaphore->value), value, noc_old_value[noc]);
}
static inline void noc_semaphore_set_remote(unsigned noc, struct noc_semaphore* semaphore, unsigned x, unsigned y,
                                            uint32_t value) {
  noc_write_word(noc, noc_tile(x, y, &semaphore->value), value);
}
/* This tile's value to the same semaphore of every tile of the rectangle. A multicast leaves on another virtual channel than
 * writes: noc_write_barrier() first, if it announces data that was written. Data of earlier multicasts it does not overtake. */
static inline void noc_semaphore_set_multicast(unsigned noc, struct noc_semaphore* semaphore, struct noc_area tiles,
                                               enum noc_self self) {
  noc_multicast(noc, &semaphore->value, tiles, &semaphore->value, sizeof semaphore->value, self);
}

#endif
