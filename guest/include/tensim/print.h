/* Text for whoever runs the program. Each core that includes this has a ring in L1, which tensim finds by its symbol and
 * empties in the very cycle in which `written` is stored: printing never waits. On hardware the ring keeps the last
 * PRINT_CAPACITY bytes. */
#ifndef TENSIM_PRINT_H
#define TENSIM_PRINT_H

#include <stdarg.h>
#include <stdint.h>

#ifndef PRINT_CAPACITY
#define PRINT_CAPACITY 256u
#endif

struct tensim_print_ring {
  uint32_t magic;
  uint32_t capacity;
  uint32_t written; /* bytes since the start; the last `capacity` of them are in `data` */
  uint32_t reserved;
  char data[PRINT_CAPACITY];
};

#define TENSIM_PRINT_MAGIC 0x474e4952u /* RING */

/* Weak: a program of several files has one. */
__attribute__((weak, used, section(".print_ring"), aligned(16))) volatile struct tensim_print_ring tensim_print_ring = {
    TENSIM_PRINT_MAGIC, PRINT_CAPACITY, 0, 0, {0}};

/* Text on its way: published when the ring is full, and at the end. */
struct tensim_text {
  uint32_t written;
  uint32_t published;
};

static inline struct tensim_text tensim_text_begin(void) {
  const uint32_t written = tensim_print_ring.written;
  return (struct tensim_text){written, written};
}
static inline void tensim_text_publish(struct tensim_text* text) {
  tensim_print_ring.written = text->written;
  text->published = text->written;
}
static inline void tensim_text_add(struct tensim_text* text, char letter) {
  if (text->written - text->published == PRINT_CAPACITY) tensim_text_publish(text);
  tensim_print_ring.data[text->written++ % PRINT_CAPACITY] = letter;
}
static inline void tensim_text_add_string(struct tensim_text* text, const char* string) {
  while (*string != 0)
    tensim_text_add(text, *string++);
}
static inline void tensim_text_add_number(struct tensim_text* text, uint32_t value, uint32_t base, uint32_t digits) {
  char reversed[10];
  uint32_t count = 0;
  do {
    const uint32_t digit = value % base;
    reversed[count++] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
    value /= base;
  } while (value != 0 || count < digits);
  while (count != 0)
    tensim_text_add(text, reversed[--count]);
}

static inline void print_char(char letter) {
  struct tensim_text text = tensim_text_begin();
  tensim_text_add(&text, letter);
  tensim_text_publish(&text);
}
static inline void print_string(const char* string) {
  struct tensim_text text = tensim_text_begin();
  tensim_text_add_string(&text, string);
  tensim_text_publish(&text);
}
static inline void print_decimal(uint32_t value) {
  struct tensim_text text = tensim_text_begin();
  tensim_text_add_number(&text, value, 10, 1);
  tensim_text_publish(&text);
}
static inline void print_hex(uint32_t value) {
  struct tensim_text text = tensim_text_begin();
  tensim_text_add_string(&text, "0x");
  tensim_text_add_number(&text, value, 16, 8);
  tensim_text_publish(&text);
}

/* %d %u %x %s %c %%, without widths; int and long are both 32 bits. What a call prints appears at once, if the ring
 * holds it. */
__attribute__((noinline, unused)) static void print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  struct tensim_text text = tensim_text_begin();
  for (; *format != 0; ++format) {
    if (*format != '%') {
      tensim_text_add(&text, *format);
      continue;
    }
    switch (*++format) {
      case 'd': {
        const int32_t value = va_arg(arguments, int32_t);
        if (value < 0) tensim_text_add(&text, '-');
        tensim_text_add_number(&text, value < 0 ? 0u - (uint32_t)value : (uint32_t)value, 10, 1);
        break;
      }
      case 'u': tensim_text_add_number(&text, va_arg(arguments, uint32_t), 10, 1); break;
      case 'x': tensim_text_add_number(&text, va_arg(arguments, uint32_t), 16, 1); break;
      case 's': tensim_text_add_string(&text, va_arg(arguments, const char*)); break;
      case 'c': tensim_text_add(&text, (char)va_arg(arguments, int)); break;
      case 0: --format; break;
      default: tensim_text_add(&text, *format); break;
    }
  }
  va_end(arguments);
  tensim_text_publish(&text);
}

#endif
