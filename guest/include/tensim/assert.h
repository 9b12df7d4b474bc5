/* An assertion that fails stops the run in its cycle; tensim says where. */
#ifndef TENSIM_ASSERT_H
#define TENSIM_ASSERT_H

#define ASSERT(condition)                         \
  do {                                            \
    if (!(condition)) __asm__ volatile("ebreak"); \
  } while (0)

#endif
