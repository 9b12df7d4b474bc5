/* Unpack: the left tile to SrcB, the right one to SrcA. */
#include "shared.h"
#include "tensim/unpack.h"

int main(void) {
  unpack_set_up(&all_bf16, UNPACK_AS_IT_IS, TILE_DATUMS);
  unpack_ab(l1_address(shared.right), l1_address(shared.left));
  return 0;
}
