/* Pack. */
#include "shared.h"
#include "tensim/pack.h"

int main(void) {
  struct circular_buffer sum = buffer(SUM);
  pack_set_up(&all_bf16);
  for (unsigned tile = 0; tile < TILES; ++tile) {
    cb_reserve_back(&sum, 1);
    pack_tiles(cb_address(&sum), 0, 1);
    tensix_sync(); /* it is in L1 */
    cb_push_back(&sum, 1);
  }
  return 0;
}
