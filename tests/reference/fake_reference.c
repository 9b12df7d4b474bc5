/* A library with the interface of libttsim for tests: one tile with a flat L1 and cores that know a few instructions,
 * one per clock. Like the real one it ends its process when it does not like something. It makes one mistake, so that a
 * comparison has something to find: xori is ori. FAKE_WORMHOLE makes it a Wormhole, FAKE_LACKS_CLOCK leaves a symbol
 * out. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FAKE_WORMHOLE
enum { DEVICE_ID = 0x401E1E52, L1_BYTES = 1499136, WINDOW_BITS = 24, X_BIT = 12, TILE_X = 18, TILE_Y = 18 };
enum { FIRST_WINDOW = 0xB000000, FIRST_REGISTER = 166 * 8, REGISTER_BYTES = 8 };
#else
enum { DEVICE_ID = 0xB1401E52 - 0x100000000, L1_BYTES = 1572864, WINDOW_BITS = 21, X_BIT = 43, TILE_X = 1, TILE_Y = 2 };
enum { FIRST_WINDOW = 0, FIRST_REGISTER = 0, REGISTER_BYTES = 12 };
#endif
#define BAR0 0x240000000ull
enum { REGISTERS = 0x1FC00000, CORES = 5, DST_BYTES = 32768 };
enum { DIE = 0x2FFFF0, HANG = 0x2FFFF4 }; /* stores of a core to these addresses, behind L1 */

static uint8_t windows[4096], l1[L1_BYTES], dst[DST_BYTES];
static uint32_t soft_reset, reset_pc[4], override_t, override_n, array_enable, array_command, gpr[64];
static uint32_t x[CORES][32], pc[CORES];
static int running;

static _Noreturn void die(const char* what, uint32_t value) {
  printf("some lines of no interest\nFAKE ERROR: %s 0x%x\n", what, value);
  _Exit(1);
}

/* ---- registers ---- */

static const uint32_t reset_bits[CORES] = {1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 18};

static uint32_t start_of(int core) {
  static const uint32_t starts[CORES] = {0, 0x6000, 0xA000, 0xE000, 0x12000};
  if (core >= 1 && core <= 3 && (override_t >> (core - 1) & 1)) return reset_pc[core - 1];
  if (core == 4 && override_n) return reset_pc[3];
  return starts[core];
}

static void set_soft_reset(uint32_t value) {
  for (int core = 0; core < CORES; ++core)
    if ((soft_reset & reset_bits[core]) && !(value & reset_bits[core])) pc[core] = start_of(core);
  soft_reset = value;
}

static void store_register(uint32_t address, uint32_t value) {
  switch (address) {
    case 0xFFB12060: array_enable = value; return;
    case 0xFFB12064: array_command = value; return;
    case 0xFFB121B0: set_soft_reset(value); return;
    case 0xFFB12228:
    case 0xFFB1222C:
    case 0xFFB12230: reset_pc[(address - 0xFFB12228) / 4] = value; return;
    case 0xFFB12234: override_t = value; return;
    case 0xFFB12238: reset_pc[3] = value; return;
    case 0xFFB1223C: override_n = value; return;
  }
  if (address >= 0xFFBD8000 && address < 0xFFBD8000 + DST_BYTES) { /* not as in hardware: Dst as it stands */
    memcpy(dst + (address - 0xFFBD8000), &value, 4);
    return;
  }
  die("unknown register", address);
}

static uint32_t load_register(uint32_t address) {
  uint32_t value = 0;
  if (address == 0xFFB1206C && array_enable && array_command >> 16 == 2)
    memcpy(&value, dst + (array_command & 0xFFF) * 32 + (array_command >> 12 & 15) * 4, 4);
  else if (address == 0xFFB12234)
    value = override_t;
  else
    die("unknown register", address);
  return value;
}

/* ---- cores ---- */

static void store(uint32_t address, uint32_t value) {
  if (address == DIE) die("a core stored to", address);
  while (address == HANG)
    pause();
  if (address + 4 <= L1_BYTES)
    memcpy(l1 + address, &value, 4);
  else if (address >= 0xFFE00000 && address < 0xFFE00100)
    gpr[(address - 0xFFE00000) / 4] = value;
  else if (address < 0xFFE00000)
    store_register(address, value); /* the rest: instructions, TTSync, configuration */
}

static uint32_t load(uint32_t address) {
  uint32_t value = 0;
  if (address + 4 <= L1_BYTES)
    memcpy(&value, l1 + address, 4);
  else if (address >= 0xFFE00000 && address < 0xFFE00100)
    value = gpr[(address - 0xFFE00000) / 4];
  else if (address != 0xFFE80004)
    die("unknown address", address);
  return value;
}

static int32_t field(uint32_t word, int high, int low) {
  return (int32_t)(word << (31 - high)) >> (31 - high + low);
}

static uint32_t execute(uint32_t* r, uint32_t at, uint32_t word) {
  const uint32_t rd = word >> 7 & 31, rs1 = r[word >> 15 & 31], rs2 = r[word >> 20 & 31], funct3 = word >> 12 & 7;
  const uint32_t immediate = (uint32_t)field(word, 31, 20);
  uint32_t next = at + 4, result = r[rd];
  if ((word & 3) != 3) return next; /* .ttinsn */
  switch (word & 0x7F) {
    case 0x37: result = word & 0xFFFFF000; break;
    case 0x13:
      if (funct3 == 0)
        result = rs1 + immediate;
      else if (funct3 == 7)
        result = rs1 & immediate;
      else if (funct3 == 4)
        result = rs1 | immediate; /* the mistake */
      else
        die("unknown instruction", word);
      break;
    case 0x03: result = load(rs1 + immediate); break;
    case 0x23: store(rs1 + ((uint32_t)field(word, 31, 25) << 5 | rd), rs2); return next;
    case 0x63: {
      const uint32_t offset = (uint32_t)field(word, 31, 31) << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 0x3F) << 5 |
                              (word >> 8 & 0xF) << 1;
      return (rs1 == rs2) == (funct3 == 0) ? at + offset : next;
    }
    case 0x6F:
      result = next;
      next = at + ((uint32_t)field(word, 31, 31) << 20 | (word >> 12 & 0xFF) << 12 | (word >> 20 & 1) << 11 |
                   (word >> 21 & 0x3FF) << 1);
      break;
    case 0x67:
      result = next;
      next = rs1 + immediate;
      break;
    case 0x0F: return next;
    default: die("unknown instruction", word);
  }
  if (rd != 0) r[rd] = result;
  return next;
}

/* ---- the interface ---- */

void libttsim_init(void) {
  if (running) die("running already", 0);
  running = 1;
  soft_reset = 0x47800;
}

void libttsim_exit(void) {
  running = 0;
}

#ifdef FAKE_LACKS_CLOCK
#define libttsim_clock fake_clock
#endif
void libttsim_clock(uint32_t clocks) {
  for (; clocks > 0; --clocks)
    for (int core = 0; core < CORES; ++core)
      if (!(soft_reset & reset_bits[core])) pc[core] = execute(x[core], pc[core], load(pc[core]));
}

uint32_t libttsim_pci_config_rd32(uint32_t device, uint32_t offset) {
  if (device != 0) return 0xFFFFFFFF;
  if (offset == 0x00) return (uint32_t)DEVICE_ID;
  if (offset == 0x10) return (uint32_t)BAR0 | 4; /* the low bits say what kind of BAR it is */
  return offset == 0x14 ? (uint32_t)(BAR0 >> 32) : 0;
}

/* The tile's address that a window shows. */
static uint32_t translate(uint64_t offset) {
  const uint32_t window = (uint32_t)(offset - FIRST_WINDOW) >> WINDOW_BITS;
  uint64_t value;
  if (window > 1) die("unknown window", window);
  memcpy(&value, windows + FIRST_REGISTER + window * REGISTER_BYTES, sizeof value);
  if ((value >> X_BIT & 63) != TILE_X || (value >> (X_BIT + 6) & 63) != TILE_Y) die("no tile there:", (uint32_t)value);
  return (uint32_t)(value & ((1u << (32 - WINDOW_BITS)) - 1)) << WINDOW_BITS |
         ((uint32_t)offset & ((1u << WINDOW_BITS) - 1));
}

void libttsim_pci_mem_rd_bytes(uint64_t address, void* to, uint32_t bytes) {
  const uint32_t place = translate(address - BAR0);
  if ((uint64_t)place + bytes <= L1_BYTES) {
    memcpy(to, l1 + place, bytes);
  } else {
    const uint32_t value = load_register(place);
    memcpy(to, &value, 4);
  }
}

void libttsim_pci_mem_wr_bytes(uint64_t address, const void* from, uint32_t bytes) {
  const uint64_t offset = address - BAR0;
  if (offset >= REGISTERS) {
    memcpy(windows + (offset - REGISTERS), from, bytes);
    return;
  }
  const uint32_t place = translate(offset);
  if ((uint64_t)place + bytes <= L1_BYTES) {
    memcpy(l1 + place, from, bytes);
  } else {
    uint32_t value;
    memcpy(&value, from, 4);
    store_register(place, value);
  }
}

void libttsim_tile_rd_bytes(uint32_t tile_x, uint32_t tile_y, uint64_t address, void* to, uint32_t bytes) {
  (void)tile_x, (void)tile_y, (void)to, (void)bytes;
  die("tile access", (uint32_t)address);
}

void libttsim_tile_wr_bytes(uint32_t tile_x, uint32_t tile_y, uint64_t address, const void* from, uint32_t bytes) {
  (void)tile_x, (void)tile_y, (void)from, (void)bytes;
  die("tile access", (uint32_t)address);
}

void libttsim_set_pci_dma_mem_callbacks(void (*read)(uint64_t, void*, uint32_t),
                                        void (*write)(uint64_t, const void*, uint32_t)) {
  (void)read, (void)write;
}
