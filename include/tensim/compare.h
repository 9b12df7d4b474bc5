/* tensim's C interface, comparing: a scenario here and on a reference, a library with the interface of libttsim. C99. */
#ifndef TENSIM_COMPARE_H
#define TENSIM_COMPARE_H

#include <tensim/base.h>
#include <tensim/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tensim_comparison tensim_comparison;

/* A part of L1. */
typedef struct tensim_range {
  uint32_t address;
  uint32_t bytes;
} tensim_range;

typedef struct tensim_compare_options {
  size_t size;                 /* sizeof(tensim_compare_options); what is not said to be needed may be 0 */
  const char* library;         /* needed: the path of the reference, which has to be of the scenario's chip */
  const tensim_range* ignored; /* what may differ */
  size_t ignored_count;
  uint32_t time_limit_seconds; /* that a call of the reference may take; 0: 60 */
  int has_tile;                /* tile_x and tile_y choose the reference's tile, which otherwise is its first */
  uint32_t tile_x;
  uint32_t tile_y;
  int without_dst; /* L1 only */
} tensim_compare_options;

/* Runs it here and, if it finishes, on the reference, which lives in a process of its own. TENSIM_OK if both could be run,
 * whatever came out. Otherwise *problem has the reason: TENSIM_BAD_INPUT if the reference cannot be used, TENSIM_FAULT if
 * it has ended, TENSIM_NOT_REACHED if a call did not come back in time. */
tensim_status tensim_compare(const tensim_scenario* scenario, const tensim_compare_options* options,
                             tensim_comparison** comparison, tensim_text** problem);
void tensim_comparison_free(tensim_comparison* comparison);

/* Of the run here; TENSIM_RUNNING of null. */
tensim_outcome tensim_comparison_outcome(const tensim_comparison* comparison);
/* Whether the reference has run at all: 1 or 0. It does not if the run here has not finished as it should. */
int tensim_comparison_reference_ran(const tensim_comparison* comparison);
/* Whether it has come to its end within the budget: 1 or 0. */
int tensim_comparison_reference_finished(const tensim_comparison* comparison);
/* Words of L1 that differ, and datums of Dst. */
uint64_t tensim_comparison_l1_differences(const tensim_comparison* comparison);
uint64_t tensim_comparison_dst_differences(const tensim_comparison* comparison);
/* Schema tensim.compare/1. */
tensim_status tensim_comparison_report(const tensim_comparison* comparison, tensim_format format, tensim_text** text);

#ifdef __cplusplus
}
#endif

#endif
