/* The other headers of the C interface as a C99 program sees them: all of them compile, and values that C lets through
 * are refused. */
#include <string.h>
#include <tensim/compare.h>
#include <tensim/debug.h>
#include <tensim/instructions.h>
#include <tensim/replay.h>
#include <tensim/scenario.h>

#include "c_api.h"
#include "c_check.h"

static int no_file(void* context, const char* path, tensim_text* content) {
  (void)context;
  (void)path;
  return tensim_text_append(content, "no", 2) == TENSIM_OK ? 1 : 2;
}

const char* c_api_assembles_and_explains(void) {
  static const char source[] = "ttsempost 2\n";
  tensim_disassemble_options options = {0};
  tensim_assembly* assembly = NULL;
  tensim_text *text = NULL, *problem = NULL;
  uint32_t word;
  CHECK(tensim_assemble(TENSIM_WORMHOLE, source, strlen(source), "a.s", no_file, NULL, &assembly) == TENSIM_OK);
  word = tensim_assembly_word(assembly, 0);
  CHECK(tensim_assembly_word_count(assembly) == 1 && word == 0xA4000008);
  tensim_assembly_free(assembly);
  CHECK(tensim_text_create(&text) == TENSIM_OK);
  options.size = sizeof options;
  options.code = TENSIM_CODE_BINARY;
  CHECK(tensim_disassemble(TENSIM_WORMHOLE, &word, sizeof word, &options, TENSIM_PLAIN, tensim_write_to_text, text,
                           &problem) == TENSIM_OK);
  CHECK(problem == NULL && strstr(tensim_text_data(text), "ttsempost 2") != NULL);
  tensim_text_free(text);
  CHECK(tensim_explain(TENSIM_WORMHOLE, "a4000008", 0, TENSIM_JSON, &text) == TENSIM_OK);
  CHECK(strstr(tensim_text_data(text), "\"schema\": \"tensim.explain/1\"") != NULL);
  tensim_text_free(text);
  return NULL;
}

const char* c_api_refuses_values(void) {
  tensim_disassemble_options options = {0};
  tensim_assembly* assembly = NULL;
  tensim_scenario* scenario = NULL;
  tensim_text* text = (tensim_text*)&options; /* a function that fails clears it */
  CHECK(tensim_arch_name((tensim_arch)2) == NULL);
  CHECK(strcmp(tensim_status_name((tensim_status)99), "unknown") == 0);
  CHECK(tensim_assemble((tensim_arch)2, "", 0, "a.s", NULL, NULL, &assembly) == TENSIM_BAD_ARGUMENT);
  CHECK(tensim_assemble(TENSIM_WORMHOLE, "", 0, "a.s", NULL, NULL, &assembly) == TENSIM_OK);
  CHECK(tensim_assembly_write(assembly, (tensim_words_format)2, 0, tensim_write_to_text, NULL) == TENSIM_BAD_ARGUMENT);
  CHECK(tensim_assembly_write(assembly, TENSIM_WORDS_LINES, 0, NULL, NULL) == TENSIM_BAD_ARGUMENT);
  tensim_assembly_free(assembly);
  options.size = sizeof options;
  options.code = (tensim_code_format)4;
  CHECK(tensim_disassemble(TENSIM_WORMHOLE, "", 0, &options, TENSIM_PLAIN, tensim_write_to_text, NULL, NULL) ==
        TENSIM_BAD_ARGUMENT);
  CHECK(tensim_describe_arch(TENSIM_WORMHOLE, 0, (tensim_format)3, &text) == TENSIM_BAD_ARGUMENT && text == NULL);
  CHECK(tensim_describe_arch((tensim_arch)7, 0, TENSIM_PLAIN, &text) == TENSIM_BAD_ARGUMENT && text == NULL);
  text = (tensim_text*)&options;
  CHECK(tensim_explain(TENSIM_WORMHOLE, NULL, 0, TENSIM_PLAIN, &text) == TENSIM_BAD_ARGUMENT && text == NULL);
  text = (tensim_text*)&options;
  CHECK(tensim_replay("", 0, "r", (tensim_format)9, &text) == TENSIM_BAD_ARGUMENT && text == NULL);
  text = (tensim_text*)&options;
  CHECK(tensim_result_report(NULL, TENSIM_PLAIN, &text) == TENSIM_BAD_ARGUMENT && text == NULL);
  text = (tensim_text*)&options;
  CHECK(tensim_assembly_diagnostics(NULL, &text) == TENSIM_BAD_ARGUMENT && text == NULL);
  CHECK(tensim_scenario_create((tensim_arch)2, &scenario) == TENSIM_BAD_ARGUMENT && scenario == NULL);
  CHECK(tensim_scenario_create(TENSIM_WORMHOLE, &scenario) == TENSIM_OK);
  CHECK(tensim_scenario_add_program(scenario, (tensim_core)5, "", 0, NULL, 0, NULL) == TENSIM_BAD_ARGUMENT);
  CHECK(tensim_compare(scenario, NULL, NULL, NULL) == TENSIM_BAD_ARGUMENT);
  CHECK(tensim_gdb_create(scenario, NULL) == TENSIM_BAD_ARGUMENT);
  tensim_scenario_free(scenario);
  return NULL;
}

const char* c_api_runs_programs(const void* const elf[4], const size_t bytes[4]) {
  tensim_scenario* scenario = NULL;
  tensim_result* result = NULL;
  tensim_text* text = NULL;
  uint32_t shared = 0, word = 1;
  int core;
  CHECK(tensim_scenario_create(TENSIM_BLACKHOLE, &scenario) == TENSIM_OK);
  for (core = TENSIM_BRISC; core <= TENSIM_TRISC2; ++core)
    CHECK(tensim_scenario_add_program(scenario, (tensim_core)core, elf[core], bytes[core], "program",
                                      core != TENSIM_BRISC, NULL) == TENSIM_OK);
  CHECK(tensim_scenario_address(scenario, "brisc:shared", &shared) == TENSIM_OK && shared != 0);
  CHECK(tensim_scenario_run(scenario, NULL, &result) == TENSIM_OK);
  tensim_scenario_free(scenario);
  CHECK(tensim_result_outcome(result) == TENSIM_DEADLOCKED);
  CHECK(tensim_result_read(result, shared, &word, sizeof word) == TENSIM_OK && word == 0);
  CHECK(tensim_result_report(result, TENSIM_PLAIN, &text) == TENSIM_OK);
  CHECK(strstr(tensim_text_data(text), "programs on BRISC, TRISC0, TRISC1, TRISC2: deadlocked") != NULL);
  CHECK(strstr(tensim_text_data(text), "trisc0.c:12") != NULL);
  tensim_text_free(text);
  tensim_result_free(result);
  return NULL;
}
