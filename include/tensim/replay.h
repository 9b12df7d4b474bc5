/* tensim's C interface, replay: what a host did to a device, again (docs/replay.md). C99. */
#ifndef TENSIM_REPLAY_H
#define TENSIM_REPLAY_H

#include <tensim/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Does what the recording says on a new device, up to the first fault, and compares every reply. *report (schema
 * tensim.replay/1) calls it `file`. TENSIM_DIFFERS if a reply was another one, TENSIM_FAULT at a fault. TENSIM_BAD_INPUT if
 * the text is no recording: *report is the reason then, with its line. */
tensim_status tensim_replay(const char* recording, size_t size, const char* file, tensim_format format,
                            tensim_text** report);

/* What else a replay is to do. Set `size` to sizeof(tensim_replay_options), and everything else to 0 if it is not used. */
typedef struct tensim_replay_options {
  size_t size;
  int check_races;               /* say what nothing orders (docs/races.md) */
  const char* race_rules;        /* null, or as in tensim_run_options */
  const char* race_suppressions; /* the same */
  int threads;                   /* the same */
} tensim_replay_options;

/* The same with options, which may be null. TENSIM_RACE if all is well but for races that are errors.
 * TENSIM_BAD_INPUT also if rules or suppressions are none. */
tensim_status tensim_replay_with(const char* recording, size_t size, const char* file,
                                 const tensim_replay_options* options, tensim_format format, tensim_text** report);

#ifdef __cplusplus
}
#endif

#endif
