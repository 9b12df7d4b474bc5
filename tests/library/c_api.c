/* The C interface as a C99 program sees it. Each function returns null, or the expression that was not true. */
#include "c_api.h"

#include <stdlib.h>
#include <string.h>

#include "c_check.h"
#include "tensim/tensim.h"

enum { COUNTER = 0x20000, CODE = 0x1000 };

/* lui a0, 0x20; addi a1, a1, 1; sw a1, 0(a0); fence; j -12 */
static const uint32_t counts[] = {0x00020537, 0x00158593, 0x00b52023, 0x0ff0000f, 0xff5ff06f};

const char* c_api_runs_a_program(int arch) {
  tensim_device* device = NULL;
  uint32_t word = 0;
  const uint32_t x = arch == TENSIM_WORMHOLE ? 18 : 1, y = arch == TENSIM_WORMHOLE ? 18 : 2;
  CHECK(tensim_create((tensim_arch)arch, &device) == TENSIM_OK);
  CHECK(tensim_write(device, x, y, CODE, counts, sizeof counts) == TENSIM_OK);
  CHECK(tensim_release(device, x, y, TENSIM_BRISC, CODE) == TENSIM_OK);
  CHECK(tensim_run_until_word(device, x, y, COUNTER, 10, 100000) == TENSIM_OK);
  CHECK(tensim_cycle(device) > 10 && tensim_cycle(device) < 10000);
  CHECK(tensim_read(device, x, y, COUNTER, &word, sizeof word) == TENSIM_OK && word == 10);
  CHECK(tensim_run(device, 1000) == TENSIM_OK);
  CHECK(tensim_read(device, x, y, COUNTER, &word, sizeof word) == TENSIM_OK && word > 20);
  CHECK(tensim_hold(device, x, y, TENSIM_BRISC) == TENSIM_OK);
  CHECK(tensim_run_until_idle(device, 100) == TENSIM_OK);
  tensim_destroy(device);
  return NULL;
}

const char* c_api_takes_snapshots(int arch) {
  tensim_device *device = NULL, *other = NULL;
  tensim_snapshot* snapshot = NULL;
  uint32_t first = 0, second = 0;
  const uint32_t x = arch == TENSIM_WORMHOLE ? 18 : 1, y = arch == TENSIM_WORMHOLE ? 18 : 2;
  CHECK(tensim_create((tensim_arch)arch, &device) == TENSIM_OK);
  CHECK(tensim_write(device, x, y, CODE, counts, sizeof counts) == TENSIM_OK);
  CHECK(tensim_release(device, x, y, TENSIM_BRISC, CODE) == TENSIM_OK);
  CHECK(tensim_run(device, 500) == TENSIM_OK);
  CHECK(tensim_take_snapshot(device, &snapshot) == TENSIM_OK);
  CHECK(tensim_run(device, 3000) == TENSIM_OK);
  CHECK(tensim_read(device, x, y, COUNTER, &first, sizeof first) == TENSIM_OK);
  CHECK(tensim_restore(device, snapshot) == TENSIM_OK && tensim_cycle(device) == 500);
  CHECK(tensim_run(device, 3000) == TENSIM_OK);
  CHECK(tensim_read(device, x, y, COUNTER, &second, sizeof second) == TENSIM_OK && first == second);
  CHECK(tensim_create(arch == TENSIM_WORMHOLE ? TENSIM_BLACKHOLE : TENSIM_WORMHOLE, &other) == TENSIM_OK);
  CHECK(tensim_restore(other, snapshot) == TENSIM_BAD_ARGUMENT);
  CHECK(strstr(tensim_error(other), "another chip") != NULL);
  tensim_free_snapshot(snapshot);
  tensim_destroy(device);
  tensim_destroy(other);
  return NULL;
}

const char* c_api_survives_mistakes(void) {
  static const uint32_t ebreak = 0x00100073;
  tensim_device* device = NULL;
  tensim_outcome outcome = TENSIM_RUNNING;
  const char* json = NULL;
  uint32_t word = 0;
  CHECK(tensim_create((tensim_arch)7, &device) == TENSIM_BAD_ARGUMENT && device == NULL);
  CHECK(tensim_create(TENSIM_BLACKHOLE, NULL) == TENSIM_BAD_ARGUMENT);
  CHECK(tensim_run(NULL, 1) == TENSIM_BAD_ARGUMENT);
  CHECK(tensim_create(TENSIM_BLACKHOLE, &device) == TENSIM_OK);
  CHECK(tensim_read(device, 1, 2, 0, NULL, 4) == TENSIM_BAD_ARGUMENT);
  CHECK(tensim_release(device, 0, 0, TENSIM_BRISC, 0) == TENSIM_BAD_ARGUMENT);
  CHECK(strcmp(tensim_error(device), "0,0 is not a Tensix tile") == 0);
  CHECK(tensim_release(device, 1, 2, (tensim_core)5, 0) == TENSIM_BAD_ARGUMENT);
  CHECK(tensim_load_elf(device, 1, 2, TENSIM_BRISC, "not an ELF", 10, NULL, NULL) == TENSIM_BAD_ELF);
  CHECK(tensim_error(device)[0] != '\0');
  CHECK(tensim_outcome_of(device, 1, 2, &outcome) == TENSIM_OK && outcome == TENSIM_FINISHED);
  CHECK(tensim_write(device, 1, 2, CODE, &ebreak, sizeof ebreak) == TENSIM_OK);
  CHECK(tensim_release(device, 1, 2, TENSIM_TRISC1, CODE) == TENSIM_OK);
  CHECK(tensim_run(device, 1000) == TENSIM_FAULT && tensim_is_stopped(device));
  CHECK(strstr(tensim_error(device), "TRISC1") != NULL);
  CHECK(tensim_run(device, 1) == TENSIM_FAULT);
  CHECK(tensim_outcome_of(device, 1, 2, &outcome) == TENSIM_OK && outcome == TENSIM_FAULTED);
  CHECK(tensim_outcome_json(device, 1, 2, &json) == TENSIM_OK);
  CHECK(strstr(json, "\"schema\": \"tensim.run/1\"") != NULL && strstr(json, "\"core_stop\"") != NULL);
  CHECK(tensim_hold(device, 1, 2, TENSIM_TRISC1) == TENSIM_OK && !tensim_is_stopped(device));
  CHECK(tensim_run(device, 1) == TENSIM_OK);
  CHECK(tensim_read(device, 63, 63, 0, &word, sizeof word) == TENSIM_FAULT && word == 0xFFFFFFFF);
  CHECK(strcmp(tensim_status_name(TENSIM_FAULT), "TENSIM_FAULT") == 0);
  tensim_destroy(device);
  tensim_destroy(NULL);
  tensim_free_snapshot(NULL);
  return NULL;
}

const char* c_api_explains(const void* const elf[4], const size_t bytes[4]) {
  tensim_device* device = NULL;
  tensim_outcome outcome = TENSIM_RUNNING;
  const char* json = NULL;
  uint32_t entry[4] = {0};
  int core;
  CHECK(tensim_create(TENSIM_BLACKHOLE, &device) == TENSIM_OK);
  for (core = TENSIM_BRISC; core <= TENSIM_TRISC2; ++core)
    CHECK(tensim_load_elf(device, 5, 5, (tensim_core)core, elf[core], bytes[core], "program", &entry[core]) ==
          TENSIM_OK);
  CHECK(tensim_release(device, 5, 5, TENSIM_BRISC, entry[TENSIM_BRISC]) == TENSIM_OK);
  CHECK(tensim_run_until_idle(device, 10000000) == TENSIM_OK);
  CHECK(tensim_outcome_of(device, 5, 5, &outcome) == TENSIM_OK && outcome == TENSIM_DEADLOCKED);
  CHECK(tensim_outcome_json(device, 5, 5, &json) == TENSIM_OK);
  CHECK(strstr(json, "nobody in this tile will write it") != NULL);
  CHECK(strstr(json, "no SEMPOST or SEMINIT of semaphore 4 is left") != NULL);
  CHECK(strstr(json, "trisc0.c:12") != NULL);
  tensim_destroy(device);
  return NULL;
}

/* Each of them runs a program on a tile. */
const char* c_api_makes_devices(unsigned count) {
  unsigned i;
  for (i = 0; i < count; ++i) {
    tensim_device* device = NULL;
    CHECK(tensim_create(i % 2 == 0 ? TENSIM_WORMHOLE : TENSIM_BLACKHOLE, &device) == TENSIM_OK);
    CHECK(tensim_write(device, 2, 2, CODE, counts, sizeof counts) == TENSIM_OK);
    CHECK(tensim_release(device, 2, 2, TENSIM_BRISC, CODE) == TENSIM_OK);
    CHECK(tensim_write(device, 0, 0, 0x1000000, counts, sizeof counts) == TENSIM_OK);
    CHECK(tensim_run(device, 100) == TENSIM_OK);
    tensim_destroy(device);
  }
  return NULL;
}
