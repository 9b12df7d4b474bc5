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

#ifdef __cplusplus
}
#endif

#endif
