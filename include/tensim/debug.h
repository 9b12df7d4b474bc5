/* tensim's C interface, debugging: gdb's remote protocol as bytes in and bytes out; who calls has the connection
 * (docs/debugger.md). Each core is a thread. Looking changes nothing in the run. C99. */
#ifndef TENSIM_DEBUG_H
#define TENSIM_DEBUG_H

#include <tensim/base.h>
#include <tensim/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tensim_gdb_session tensim_gdb_session;

typedef enum tensim_gdb_end {
  TENSIM_GDB_NOT_YET = 0,
  TENSIM_GDB_EXITED = 1,   /* the run has come to its end, and gdb knows */
  TENSIM_GDB_DETACHED = 2, /* the run is to go on without it */
  TENSIM_GDB_KILLED = 3
} tensim_gdb_end;

/* A session at the start of a scenario that runs cores, before its first cycle;
 * a scenario that runs none is TENSIM_BAD_ARGUMENT. */
tensim_status tensim_gdb_create(const tensim_scenario* scenario, tensim_gdb_session** session);
void tensim_gdb_free(tensim_gdb_session* session);

/* What gdb has sent, in pieces of any size. */
tensim_status tensim_gdb_receive(tensim_gdb_session* session, const void* bytes, size_t size);
/* What is to be sent to it; empty if nothing is. */
tensim_status tensim_gdb_take_output(tensim_gdb_session* session, tensim_text** output);
/* Whether the programs run: 1 or 0. While they do, tensim_gdb_advance() lets them, a bounded time a call. */
int tensim_gdb_is_running(const tensim_gdb_session* session);
tensim_status tensim_gdb_advance(tensim_gdb_session* session);
/* TENSIM_GDB_EXITED of null. */
tensim_gdb_end tensim_gdb_how_ended(const tensim_gdb_session* session);
/* The result of a run without gdb if the run is at its end, or gdb has detached (then it is run to its end first);
 * otherwise of one that was interrupted here. */
tensim_status tensim_gdb_result(tensim_gdb_session* session, tensim_result** result);

#ifdef __cplusplus
}
#endif

#endif
