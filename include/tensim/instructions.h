/* tensim's C interface, the instruction set: assembling, disassembling, explaining, and what a chip is. C99. */
#ifndef TENSIM_INSTRUCTIONS_H
#define TENSIM_INSTRUCTIONS_H

#include <tensim/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- assembling ---- */

typedef struct tensim_assembly tensim_assembly;

/* Texts of all files together are at most this. */
enum { TENSIM_MAX_ASSEMBLY_BYTES = 64 << 20 };

typedef enum tensim_words_format {
  TENSIM_WORDS_LINES = 0, /* a hexadecimal word a line, with its disassembly as a comment */
  TENSIM_WORDS_BINARY = 1 /* little-endian */
} tensim_words_format;

/* `file` is what messages call the text. `load` reads files that it includes; without one, there are none. TENSIM_OK if
 * there are no errors; TENSIM_BAD_INPUT if there are: *assembly then has no words to rely on, but the diagnostics. */
tensim_status tensim_assemble(tensim_arch arch, const char* text, size_t size, const char* file,
                              tensim_load_function load, void* context, tensim_assembly** assembly);
/* Words from 0xC0000000 up cannot stand in a RISC-V stream: the first one becomes an error, TENSIM_BAD_INPUT. */
tensim_status tensim_assembly_check_ttinsn(tensim_assembly* assembly);
size_t tensim_assembly_word_count(const tensim_assembly* assembly);
/* 0 behind the last one. */
uint32_t tensim_assembly_word(const tensim_assembly* assembly, size_t index);
/* Errors and warnings, with file, line, column and the line itself; empty if there are none. */
tensim_status tensim_assembly_diagnostics(const tensim_assembly* assembly, tensim_text** text);
/* The words; if `ttinsn` is not 0, rotated as they stand in a RISC-V stream. */
tensim_status tensim_assembly_write(const tensim_assembly* assembly, tensim_words_format format, int ttinsn,
                                    tensim_write_function write, void* context);
/* Words and diagnostics: schema tensim.asm/1. */
tensim_status tensim_assembly_write_json(const tensim_assembly* assembly, tensim_write_function write, void* context);
void tensim_assembly_free(tensim_assembly* assembly);

/* ---- disassembling ---- */

typedef enum tensim_code_format {
  TENSIM_CODE_AUTO = 0, /* what is neither ELF nor all printable text is a binary */
  TENSIM_CODE_BINARY = 1,
  TENSIM_CODE_HEX = 2, /* words apart by spaces, commas or line ends; # begins a comment */
  TENSIM_CODE_ELF = 3  /* its executable sections */
} tensim_code_format;

typedef struct tensim_disassemble_options {
  size_t size; /* sizeof(tensim_disassemble_options); the rest may be 0 */
  tensim_code_format code;
  int named;     /* symbolic operands instead of the vendor's objdump form */
  int riscv;     /* a binary or hexadecimal words are a RISC-V stream: .ttinsn words stand rotated in it */
  uint32_t base; /* address of the first word of a binary or of hexadecimal words */
} tensim_disassemble_options;

/* A line per word; JSON is of the schema tensim.disasm/1. Without options (null), of TENSIM_CODE_AUTO. If it fails,
 * nothing is written: TENSIM_BAD_ELF, or TENSIM_BAD_INPUT for code of another format, with the reason. */
tensim_status tensim_disassemble(tensim_arch arch, const void* code, size_t size,
                                 const tensim_disassemble_options* options, tensim_format format,
                                 tensim_write_function write, void* context, tensim_text** problem);

/* ---- explaining ---- */

/* Everything about a hexadecimal word (if `ttinsn` is not 0, as it stands in a RISC-V stream), an instruction, or a field
 * of the configuration: schema tensim.explain/1 or tensim.explain_config/1. If it fails, *text is the reason. */
tensim_status tensim_explain(tensim_arch arch, const char* what, int ttinsn, tensim_format format, tensim_text** text);

/* ---- what a chip is ---- */

/* Sizes, names, address map, registers and, if `timing` is not 0, timing, with their sources: schema tensim.arch/1. */
tensim_status tensim_describe_arch(tensim_arch arch, int timing, tensim_format format, tensim_text** text);
/* tensim/tensix_instructions.h, the C header of a chip's instructions for programs on the cores. */
tensim_status tensim_instruction_header(tensim_arch arch, tensim_text** text);
/* tensim/noc_registers.h, the C header of a chip's NoC: registers, counters, names of tiles and banks. */
tensim_status tensim_noc_header(tensim_arch arch, tensim_text** text);

#ifdef __cplusplus
}
#endif

#endif
