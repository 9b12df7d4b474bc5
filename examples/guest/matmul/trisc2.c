/* Pack. */
#include "shared.h"

int main(void) {
  pack_set_up();
  pack_tile(shared.out, 0);
  tensix_sync();
  shared.packed = 1;
  return 0;
}
