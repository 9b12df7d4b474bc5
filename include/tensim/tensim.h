/* tensim's C interface, devices: Tensix chips in a process, as many as wanted, each with its tiles, its memory and its
 * clock. docs/c_api.md shows how it is used. C99.
 *
 * When a function here does not return TENSIM_OK, tensim_error() says what happened, in words. */
#ifndef TENSIM_TENSIM_H
#define TENSIM_TENSIM_H

#include <tensim/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tensim_device tensim_device;
typedef struct tensim_snapshot tensim_snapshot;

typedef enum tensim_on_fault {
  TENSIM_STOP = 0,    /* the device's clock stands still; its memory can be read. Resetting a core that has stopped, or
                         restoring a snapshot, lets it go on */
  TENSIM_CONTINUE = 1 /* only the tile with the fault stands still */
} tensim_on_fault;

/* ---- devices ---- */

/* A new device, all its cores in reset. *device is null if it fails. */
tensim_status tensim_create(tensim_arch arch, tensim_device** device);
/* Null is fine. */
void tensim_destroy(tensim_device* device);
/* What the last function on this device that did not return TENSIM_OK has to say. Good until the next call with it. */
const char* tensim_error(const tensim_device* device);
tensim_status tensim_set_on_fault(tensim_device* device, tensim_on_fault what);
/* Cycles that have passed. */
uint64_t tensim_cycle(const tensim_device* device);
/* Whether a fault has stopped it: 1 or 0. */
int tensim_is_stopped(const tensim_device* device);

/* ---- memory and registers, by the coordinates of a tile ----
 * Coordinates are NoC 0's, raw or translated. A Tensix tile has its L1 from address 0 on, and registers, in whole words,
 * where the NoC finds them. A read that fails gives all ones. */

tensim_status tensim_read(tensim_device* device, uint32_t x, uint32_t y, uint64_t address, void* to, size_t bytes);
tensim_status tensim_write(tensim_device* device, uint32_t x, uint32_t y, uint64_t address, const void* from,
                           size_t bytes);
/* To every Tensix tile of a rectangle, corners included. */
tensim_status tensim_multicast(tensim_device* device, uint32_t start_x, uint32_t start_y, uint32_t end_x,
                               uint32_t end_y, uint64_t address, const void* from, size_t bytes);

/* ---- programs ---- */

/* Puts an ELF file's segments into the tile and remembers its symbols and lines for explanations, under `name`. The core
 * is not let go. *entry, if not null, is where the program begins. */
tensim_status tensim_load_elf(tensim_device* device, uint32_t x, uint32_t y, tensim_core core, const void* elf,
                              size_t bytes, const char* name, uint32_t* entry);
/* Lets a core go at `pc`, whatever the tile's registers say. */
tensim_status tensim_release(tensim_device* device, uint32_t x, uint32_t y, tensim_core core, uint32_t pc);
/* Puts a core into reset. */
tensim_status tensim_hold(tensim_device* device, uint32_t x, uint32_t y, tensim_core core);

/* ---- time ---- */

tensim_status tensim_run(tensim_device* device, uint64_t cycles);
/* Until the word at an address of the tile's L1 has the value: exactly to that cycle, `budget` cycles at most. */
tensim_status tensim_run_until_word(tensim_device* device, uint32_t x, uint32_t y, uint32_t address, uint32_t value,
                                    uint64_t budget);
/* Until nothing will happen by itself any more in any tile, `budget` cycles at most. */
tensim_status tensim_run_until_idle(tensim_device* device, uint64_t budget);

/* ---- what has happened ---- */

tensim_status tensim_outcome_of(tensim_device* device, uint32_t x, uint32_t y, tensim_outcome* outcome);
/* How the tile stands, with the cycles of each core and thread by what they went to, and who waits for what and why, as
 * JSON of the schema tensim.run/1 (docs/command.md). Good until the next call with the device. */
tensim_status tensim_outcome_json(tensim_device* device, uint32_t x, uint32_t y, const char** json);

/* ---- snapshots ---- */

tensim_status tensim_take_snapshot(tensim_device* device, tensim_snapshot** snapshot);
/* The device is as it was then. Also of another device, if it is of the same chip. */
tensim_status tensim_restore(tensim_device* device, const tensim_snapshot* snapshot);
/* Null is fine. */
void tensim_free_snapshot(tensim_snapshot* snapshot);

#ifdef __cplusplus
}
#endif

#endif
