/* T cores: the MOP Expander's nine words. mop_sync() before they are changed. */
#ifndef TENSIM_MOP_H
#define TENSIM_MOP_H

#include "tensim/core.h"

#define MOP_CFG_BASE 0xFFB80000u
#define MOP_CFG(word) REGISTER(MOP_CFG_BASE + 4u * (word))

/* MOP(0, n - 1, mask): n times `once`, or `instead` where the mask has a bit. */
static inline void mop_by_mask(uint32_t once, uint32_t instead) {
  MOP_CFG(1) = 0;
  MOP_CFG(3) = once;
  MOP_CFG(7) = instead;
}

/* MOP(1, 0, 0): `times` times `loop`, and `end` once. */
static inline void mop_loop(uint32_t times, uint32_t loop, uint32_t end) {
  MOP_CFG(0) = 1;
  MOP_CFG(1) = times;
  MOP_CFG(2) = TT_OP_NOP;
  MOP_CFG(3) = end;
  MOP_CFG(4) = TT_OP_NOP;
  MOP_CFG(5) = loop;
  MOP_CFG(6) = TT_OP_NOP;
  MOP_CFG(7) = loop;
  MOP_CFG(8) = loop;
}

/* The next `count` instructions go to the replay buffer, from `first` on, and are not executed. */
#define RECORD(first, count) TTI_REPLAY(first, count, 0, 1)

#endif
