/* What the headers of tensim's C interface have in common: statuses, chips, outcomes, and texts that the caller owns.
 * docs/c_api.md shows how it is used. C99.
 *
 * Functions that can fail return a status; 0 is fine. No function ends the process, and no input does. A handle may be
 * used by one thread at a time; different handles by different threads. Functions that free take null as well. */
#ifndef TENSIM_BASE_H
#define TENSIM_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows by one whenever something is added. What is there keeps its meaning; libtensim_c.so.N would get another N first. */
#define TENSIM_API_VERSION 8

typedef enum tensim_status {
  TENSIM_OK = 0,
  TENSIM_NOT_REACHED =
      1,            /* the cycles are used up, or nothing more will happen, and what was waited for has not come */
  TENSIM_FAULT = 2, /* the device has a fault, or a reference has ended: the text says which */
  TENSIM_BAD_ARGUMENT = 3,   /* a null pointer, a value that is none of those below, a tile that is not a Tensix tile */
  TENSIM_BAD_ELF = 4,        /* not a program for a core, or it does not fit */
  TENSIM_OUT_OF_MEMORY = 5,  /* of the host */
  TENSIM_INTERNAL_ERROR = 6, /* a mistake in tensim: please report it with the text */
  TENSIM_BAD_INPUT = 7,      /* a text or a file is not what it should be: the text says where and why */
  TENSIM_DIFFERS = 8,        /* all was done, and something has come out otherwise than was expected */
  TENSIM_RACE = 9            /* all is as it was expected, and there are races (docs/races.md) */
} tensim_status;

typedef enum tensim_arch { TENSIM_WORMHOLE = 0, TENSIM_BLACKHOLE = 1 } tensim_arch;

typedef enum tensim_core {
  TENSIM_BRISC = 0,
  TENSIM_TRISC0 = 1,
  TENSIM_TRISC1 = 2,
  TENSIM_TRISC2 = 3,
  TENSIM_NCRISC = 4
} tensim_core;

/* How a tile stands, or how a run has ended. */
typedef enum tensim_outcome {
  TENSIM_RUNNING = 0,    /* it has something to do */
  TENSIM_FINISHED = 1,   /* every core is in reset or at the end of its program, and no instruction is left */
  TENSIM_DEADLOCKED = 2, /* nothing will happen by itself any more, and somebody waits */
  TENSIM_FAULTED = 3,
  TENSIM_BUDGET_EXHAUSTED = 4, /* of a run: the cycles it was given are used up */
  TENSIM_INTERRUPTED = 5,      /* of a run: by the user of a debugger; of a tile: by the fault of another */
  TENSIM_WAITING_FOR_HOST =
      6 /* of a device's tile: nothing will happen by itself any more, and all that cores wait for are
                                  words that the host can write */
} tensim_outcome;

/* How a report is wanted. */
typedef enum tensim_format {
  TENSIM_PLAIN = 0,
  TENSIM_COLOURED = 1, /* plain, with a terminal's colours */
  TENSIM_JSON = 2      /* one document; its field "schema" says which (docs/command.md) */
} tensim_format;

/* The version, "0.1.0". */
const char* tensim_version(void);
/* TENSIM_API_VERSION of the library that runs, which may be newer than that of the header. */
int tensim_api_version(void);
/* The name of a status: "TENSIM_FAULT". */
const char* tensim_status_name(tensim_status status);
/* "wormhole", "blackhole"; null if it is neither. */
const char* tensim_arch_name(tensim_arch arch);
/* Of "wormhole", "wh", "blackhole" or "bh"; anything else is TENSIM_BAD_INPUT. */
tensim_status tensim_parse_arch(const char* name, tensim_arch* arch);
/* "brisc", "trisc0", "trisc1", "trisc2", "ncrisc", as scenarios have them; null if it is none of them. */
const char* tensim_core_name(tensim_core core);

/* ---- texts ----
 * A function that has something to say puts it into a new text, which the caller frees: its result, or if it fails, what
 * is wrong. Such a text is null if there is nothing to say, or no memory to say it in. A parameter `problem` may be null
 * if nobody wants to know. */

typedef struct tensim_text tensim_text;

tensim_status tensim_text_create(tensim_text** text);
/* Its bytes, and a zero behind them. Good until something is appended. Of null: "". */
const char* tensim_text_data(const tensim_text* text);
size_t tensim_text_size(const tensim_text* text);
tensim_status tensim_text_append(tensim_text* text, const char* bytes, size_t size);
void tensim_text_free(tensim_text* text);
/* Where the problem is that a text tells, if it is in a file: what the file is called, line and column from 1. Null and 0
 * as far as that is not known. Good as long as the text. */
const char* tensim_text_file(const tensim_text* text);
uint32_t tensim_text_line(const tensim_text* text);
uint32_t tensim_text_column(const tensim_text* text);

/* The same text, fit for a terminal: what a terminal would obey (escape codes) and what is not UTF-8 is shown as \x1b; line
 * ends and tabs stay. What this interface says is so already. */
tensim_status tensim_printable(const char* bytes, size_t size, tensim_text** text);
/* What somebody may have meant by `word`: "; did you mean 'run'?" of the nearest known word; a list of them if none is near
 * and there are few; else nothing. */
tensim_status tensim_suggest(const char* word, const char* const* known, size_t count, tensim_text** text);

/* Takes a long text piece by piece. */
typedef void (*tensim_write_function)(void* context, const char* bytes, size_t size);
/* A tensim_write_function whose context is a tensim_text. What no memory is left for is lost. */
void tensim_write_to_text(void* text, const char* bytes, size_t size);

/* Appends the file at `path` to `content` and returns 0; or appends why it cannot be read and returns something else. */
typedef int (*tensim_load_function)(void* context, const char* path, tensim_text* content);

#ifdef __cplusplus
}
#endif

#endif
