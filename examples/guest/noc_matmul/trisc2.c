/* Pack. */
#include "shared.h"
#include "tensim/pack.h"

int main(void) {
  struct circular_buffer out = out_buffer();
  pack_set_up(&all_bf16);
  cb_reserve_back(&out, 1);
  pack_tiles(cb_address(&out), 0, 1);
  tensix_sync(); /* it is in L1 */
  cb_push_back(&out, 1);
  return 0;
}
