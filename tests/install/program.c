/* Somebody else's program: it knows what is installed, and nothing more. */
#include <stdio.h>
#include <string.h>
#include <tensim/compare.h>
#include <tensim/debug.h>
#include <tensim/instructions.h>
#include <tensim/replay.h>
#include <tensim/scenario.h>
#include <tensim/tensim.h>

int main(void) {
  static const char text[] = "[T0]\nprogram = \"NOP\"\n";
  tensim_scenario* scenario = NULL;
  tensim_result* result = NULL;
  if (tensim_api_version() != TENSIM_API_VERSION) return 1;
  if (tensim_scenario_parse(text, strlen(text), "text", NULL, NULL, &scenario, NULL) != TENSIM_OK) return 2;
  if (tensim_scenario_run(scenario, NULL, &result) != TENSIM_OK) return 3;
  printf("%d\n", (int)tensim_result_outcome(result));
  tensim_result_free(result);
  tensim_scenario_free(scenario);
  return 0;
}
