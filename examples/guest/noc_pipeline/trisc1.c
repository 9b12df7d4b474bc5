#include "../add_tiles/add_tile.h"
#include "shared.h"

int main(void) {
  set_up_adding();
  for (unsigned tile = 0; tile < TILES; ++tile) {
    WAIT_FOR_DST();
    add_tile();
    GIVE_DST();
  }
  return 0;
}
