/* What c_api.c and c_api_subjects.c have to offer. */
#ifndef TENSIM_TESTS_LIBRARY_C_API_H
#define TENSIM_TESTS_LIBRARY_C_API_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

const char* c_api_runs_a_program(int arch);
const char* c_api_takes_snapshots(int arch);
const char* c_api_survives_mistakes(void);
/* Programs of BRISC and the T cores, which hang. */
const char* c_api_explains(const void* const elf[4], const size_t bytes[4]);
const char* c_api_makes_devices(unsigned count);

const char* c_api_assembles_and_explains(void);
const char* c_api_refuses_values(void);
/* The same programs. */
const char* c_api_runs_programs(const void* const elf[4], const size_t bytes[4]);

#ifdef __cplusplus
}
#endif

#endif
