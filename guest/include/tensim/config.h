/* Backend configuration and GPRs as BRISC and the T cores see them. NCRISC sees neither. */
#ifndef TENSIM_CONFIG_H
#define TENSIM_CONFIG_H

#include "tensim/core.h"
#include "tensim/tensix_instructions.h"

/* Words of one bank of configuration. */
#if defined(TENSIM_WORMHOLE)
#define CFG_BANK_WORDS 188u
#define CFG_WINDOW_WORDS (2u * CFG_BANK_WORDS)
#else
#define CFG_BANK_WORDS 224u
#define CFG_WINDOW_WORDS (3u * CFG_BANK_WORDS) /* the third writes both banks */
#endif

#define TENSIX_CFG_BASE 0xFFEF0000u
#define CFG(bank, word) REGISTER(TENSIX_CFG_BASE + 4u * ((bank) * CFG_BANK_WORDS + (word)))

/* Behind them the threads' configuration, which only SETC16 writes. */
#define THREAD_CFG_BASE (TENSIX_CFG_BASE + 4u * CFG_WINDOW_WORDS)

static inline uint32_t cfg_read(unsigned bank, unsigned word) {
  return CFG(bank, word);
}
/* Whole words only. Against instructions pushed before or behind it: tensix_sync(), or STALLWAIT on WAIT_TRISC_CFG. */
static inline void cfg_write(unsigned bank, unsigned word, uint32_t value) {
  CFG(bank, word) = value;
}

/* GPRs: T cores see the 64 of their thread, BRISC those of all threads. */
#define REGFILE_BASE 0xFFE00000u
#define GPR(reg) REGISTER(REGFILE_BASE + 4u * (reg))
#define GPR_OF_THREAD(thread, reg) REGISTER(REGFILE_BASE + 0x100u * (thread) + 4u * (reg))

static inline uint32_t gpr_read(unsigned reg) {
  return GPR(reg);
}
static inline void gpr_write(unsigned reg, uint32_t value) {
  GPR(reg) = value;
}

#endif
