/* For tests in C: a function returns null, or the expression that was not true. */
#ifndef TENSIM_TESTS_LIBRARY_C_CHECK_H
#define TENSIM_TESTS_LIBRARY_C_CHECK_H

#define STRING_OF_(x) #x
#define STRING_OF(x) STRING_OF_(x)
#define CHECK(condition)                                                  \
  do {                                                                    \
    if (!(condition)) return "line " STRING_OF(__LINE__) ": " #condition; \
  } while (0)

#endif
