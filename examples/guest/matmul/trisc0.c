/* Unpack: the left tile to SrcB, the right one to SrcA. */
#include "shared.h"

int main(void) {
  unpack_set_up();
  unpack_tiles(shared.right, shared.left);
  return 0;
}
