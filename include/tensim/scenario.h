/* tensim's C interface, runs of one tile or of a chip: a scenario (docs/scenarios.md) or programs on the cores, from the
 * start to the end, and what came out. C99. */
#ifndef TENSIM_SCENARIO_H
#define TENSIM_SCENARIO_H

#include <tensim/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tensim_scenario tensim_scenario;
typedef struct tensim_result tensim_result;

/* ---- what runs ---- */

/* A scenario in TOML. `file` is what messages call it, and where relative paths in it begin; `load` reads the files that
 * it names. TENSIM_BAD_INPUT with the reason if it is none, and with its place (tensim_text_line). */
tensim_status tensim_scenario_parse(const char* text, size_t size, const char* file, tensim_load_function load,
                                    void* context, tensim_scenario** scenario, tensim_text** problem);
/* An empty one, to be given programs. */
tensim_status tensim_scenario_create(tensim_arch arch, tensim_scenario** scenario);
void tensim_scenario_free(tensim_scenario* scenario);

/* The core runs the ELF file from cycle 0 on; or, if `held` is not 0, when another core lets it go. `name` (may be null)
 * is what explanations call it. TENSIM_BAD_ELF with the reason, also if a segment is not in L1. */
tensim_status tensim_scenario_add_program(tensim_scenario* scenario, tensim_core core, const void* elf, size_t size,
                                          const char* name, int held, tensim_text** problem);
/* The run ends when every word that was added has its value. `word` is an address, or CORE:VARIABLE. TENSIM_BAD_INPUT if
 * there is no such word in L1. */
tensim_status tensim_scenario_add_until(tensim_scenario* scenario, const char* word, uint32_t value);
/* Cycles after which a run gives up. */
tensim_status tensim_scenario_set_budget(tensim_scenario* scenario, uint64_t cycles);
/* What state holds that nobody initialises: "zero", "ones" or "random:SEED". Anything else is TENSIM_BAD_INPUT. */
tensim_status tensim_scenario_set_fill(tensim_scenario* scenario, const char* fill);

/* ---- several tiles ---- */

/* From now on it is of several tiles, on a chip that `plan` names: a product, or an architecture with what is off ("p150",
 * "wormhole rows=3,11"). TENSIM_BAD_INPUT with the reason; it must be of the scenario's architecture, and the scenario must not
 * have programs yet.
 *
 * Below, `tiles` are "0,0", "0-3,0-3", "all", or several with spaces between them: Tensix tiles are counted from 0,0 over those
 * that work. TENSIM_BAD_INPUT with the reason if the chip does not have them. */
tensim_status tensim_scenario_set_chip(tensim_scenario* scenario, const char* plan, tensim_text** problem);
/* As tensim_scenario_add_program(), for each of the tiles. TENSIM_BAD_INPUT if the core has a program already. */
tensim_status tensim_scenario_add_tile_program(tensim_scenario* scenario, const char* tiles, tensim_core core,
                                               const void* elf, size_t size, const char* name, int held,
                                               tensim_text** problem);
/* As tensim_scenario_add_until(): the run ends when the words of each of the tiles have had their values. */
tensim_status tensim_scenario_add_tile_until(tensim_scenario* scenario, const char* tiles, const char* word,
                                             uint32_t value, tensim_text** problem);
/* Bytes of L1 before the run. */
tensim_status tensim_scenario_add_tile_memory(tensim_scenario* scenario, const char* tiles, uint32_t address,
                                              const void* bytes, size_t size, tensim_text** problem);
/* Bytes of DRAM before the run, by bank as tt-metal counts them. */
tensim_status tensim_scenario_add_dram(tensim_scenario* scenario, uint32_t bank, uint64_t address, const void* bytes,
                                       size_t size, tensim_text** problem);
/* The same scenario without the waits (STALLWAIT, SEMWAIT, STREAMWAIT) that stand at `place`: "pack.h:62", or "33" for a line of the
 * scenario itself. TENSIM_BAD_INPUT with the reason if none does. */
tensim_status tensim_scenario_without(const tensim_scenario* scenario, const char* place, tensim_scenario** without,
                                      tensim_text** problem);
/* Whether it is of several tiles: 1 or 0. */
int tensim_scenario_runs_chip(const tensim_scenario* scenario);

/* ---- what it is ---- */

/* The chip; TENSIM_BLACKHOLE of null. */
tensim_arch tensim_scenario_arch(const tensim_scenario* scenario);
/* Whether programs run on cores (1), or instructions are fed to threads (0). */
int tensim_scenario_runs_cores(const tensim_scenario* scenario);
/* A number, or where the variable of a program is: "0x20000", "trisc1:done". TENSIM_BAD_INPUT if it is neither. Of several
 * tiles, where the first that has such a variable has it. */
tensim_status tensim_scenario_address(const tensim_scenario* scenario, const char* name, uint32_t* address);

/* ---- running ---- */

typedef struct tensim_run_options {
  size_t size;                 /* sizeof(tensim_run_options); the rest may be 0 */
  int lockstep;                /* walk every cycle instead of skipping idle ones; the result is the same */
  tensim_write_function trace; /* takes a line per cycle and thread */
  void* trace_context;
  int check_races; /* say what nothing orders, even where the result was right */
  /* Null, or how rules of docs/races.md are to be taken: "19a=error,14=warning,20=off". */
  const char* race_rules;
  /* Null, or the lines of a file that names races which are meant (docs/races.md). */
  const char* race_suppressions;
  int threads;       /* of the host, that run several tiles: 0 or 1 is the caller's alone; the result is the same */
  int keep_stats;    /* for tensim_result_stats(): a thread of its own looks at what the others are at */
  int keep_packets;  /* of several tiles: the report in JSON has the first 4,096 packets, sent and arrived */
  int profile;       /* the report says where the cycles went, by reason and by line, */
  int critical_path; /* and what decided how many there were */
  /* Takes a Perfetto trace of the run (docs/perfetto.md), piece by piece, when it is over: of the cycles from perfetto_from on and
   * before perfetto_to (0: to the end). Tracks are left out, the largest first, until there are at most perfetto_bytes (0: 256 MiB). */
  tensim_write_function perfetto;
  void* perfetto_context;
  uint64_t perfetto_from;
  uint64_t perfetto_to;
  uint64_t perfetto_bytes;
} tensim_run_options;

/* Runs it to its end, which is a value: also a deadlock or a fault is TENSIM_OK. Options may be null. The scenario is not
 * changed, and may be freed before the result. A trace of several tiles has packets, too. */
tensim_status tensim_scenario_run(const tensim_scenario* scenario, const tensim_run_options* options,
                                  tensim_result** result);
void tensim_result_free(tensim_result* result);

/* ---- what came out ---- */

/* TENSIM_RUNNING of null. */
tensim_outcome tensim_result_outcome(const tensim_result* result);
/* Cycles up to the last instruction; with cores, up to the end; of several tiles that faulted, up to the first fault. */
uint64_t tensim_result_cycles(const tensim_result* result);
/* Whether the scenario expects this outcome by name: 1 or 0. */
int tensim_result_is_expected(const tensim_result* result);
/* How many expectations of the scenario have failed. The report names them. */
size_t tensim_result_failed_expectations(const tensim_result* result);
/* How many races the run has that are errors: 0 unless they were checked for. The report names them. */
size_t tensim_result_races(const tensim_result* result);
/* How it ended, where the cycles of each core and thread went, and who waits for what and why: schema tensim.run/1;
 * of several tiles tensim.chip_run/1. */
tensim_status tensim_result_report(const tensim_result* result, tensim_format format, tensim_text** text);
/* What the run cost the host: how much was simulated a second, where its time went, and its memory (schema tensim.stats/1). It
 * differs from run to run. TENSIM_BAD_ARGUMENT unless the options had keep_stats. */
tensim_status tensim_result_stats(const tensim_result* result, tensim_format format, tensim_text** text);
/* What a run of tensim_scenario_without() came to beside that of the scenario: cycles, memory, and races that appear if both were checked
 * (schema tensim.without/1). */
tensim_status tensim_result_without(const tensim_result* with, const tensim_result* without, tensim_format format,
                                    tensim_text** text);
/* Tracks that the Perfetto trace was to have and that were left out, as there was too much of them: a line each, as in "BRISC of
 * tile 0,0". */
tensim_status tensim_result_left_out(const tensim_result* result, tensim_text** text);
/* Bytes of L1; 0 if the scenario has only threads, which have none. */
size_t tensim_result_memory_size(const tensim_result* result);
/* L1 as the run has left it. TENSIM_BAD_ARGUMENT if that is not all in it; nothing is written then. Not of several tiles. */
tensim_status tensim_result_read(const tensim_result* result, uint32_t address, void* to, size_t size);

/* ---- what came out of several tiles ---- */

/* How a tile ended: TENSIM_INTERRUPTED if it was stopped because another one has faulted, TENSIM_RUNNING if the run does not know
 * the tile. */
tensim_outcome tensim_result_tile_outcome(const tensim_result* result, uint32_t x, uint32_t y);
/* L1 of a tile, which is 0 where nobody has touched it; TENSIM_BAD_ARGUMENT if the chip has no such tile or not all of that. */
tensim_status tensim_result_read_tile(const tensim_result* result, uint32_t x, uint32_t y, uint32_t address, void* to,
                                      size_t size);
tensim_status tensim_result_read_dram(const tensim_result* result, uint32_t bank, uint64_t address, void* to,
                                      size_t size);

#ifdef __cplusplus
}
#endif

#endif
