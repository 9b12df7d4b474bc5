/* tensim's C interface: Tensix chips in a process, as many as wanted, each with its tiles, its memory and its clock.
 * docs/c_api.md shows how it is used. C99.
 *
 * Functions that can fail return a status; 0 is fine. tensim_error() then says what happened, in words. No function ends
 * the process, and no input does. A device may be used by one thread at a time; different devices by different threads. */
#ifndef TENSIM_TENSIM_H
#define TENSIM_TENSIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tensim_device tensim_device;
typedef struct tensim_snapshot tensim_snapshot;

typedef enum tensim_status {
  TENSIM_OK = 0,
  TENSIM_NOT_REACHED =
      1,            /* the cycles are used up, or nothing more will happen, and what was waited for has not come */
  TENSIM_FAULT = 2, /* the device has a fault: tensim_error() has its text */
  TENSIM_BAD_ARGUMENT = 3,  /* a null pointer, a value that is none of those below, a tile that is not a Tensix tile */
  TENSIM_BAD_ELF = 4,       /* not a program for a core, or it does not fit */
  TENSIM_OUT_OF_MEMORY = 5, /* of the host */
  TENSIM_INTERNAL_ERROR = 6 /* a mistake in tensim: please report it with the text */
} tensim_status;

typedef enum tensim_arch { TENSIM_WORMHOLE = 0, TENSIM_BLACKHOLE = 1 } tensim_arch;

typedef enum tensim_core {
  TENSIM_BRISC = 0,
  TENSIM_TRISC0 = 1,
  TENSIM_TRISC1 = 2,
  TENSIM_TRISC2 = 3,
  TENSIM_NCRISC = 4
} tensim_core;

typedef enum tensim_on_fault {
  TENSIM_STOP = 0,    /* the device's clock stands still; its memory can be read. Resetting a core that has stopped, or
                         restoring a snapshot, lets it go on */
  TENSIM_CONTINUE = 1 /* only the tile with the fault stands still */
} tensim_on_fault;

/* How a tile stands. */
typedef enum tensim_outcome {
  TENSIM_RUNNING = 0,    /* it has something to do */
  TENSIM_FINISHED = 1,   /* every core is in reset or at the end of its program, and no instruction is left */
  TENSIM_DEADLOCKED = 2, /* nothing will happen by itself any more, and somebody waits: perhaps for the host */
  TENSIM_FAULTED = 3
} tensim_outcome;

/* The version, "0.1.0". */
const char* tensim_version(void);
/* The name of a status: "TENSIM_FAULT". */
const char* tensim_status_name(tensim_status status);

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
