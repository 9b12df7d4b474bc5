/* Waits for BRISC's word, sums every fourth number, and says so. The same program for all four. */
#include "shared.h"
#include "tensim/print.h"

int main(void) {
  const enum core_id core = this_core();
  wait_for(&shared.subordinate_sync[core], GO);
  uint32_t sum = 0;
  for (uint32_t i = core - TRISC0; i < NUMBERS; i += 4)
    sum += shared.numbers[i];
  shared.sum[core] = sum;
  print("core %d: %d\n", core, sum);
  shared.subordinate_sync[core] = DONE; /* both in L1: it lands behind the sum */
  return 0;
}
