#include "ring.h"

/* Forgets to give its second turn to the next tile, and every later one. */
int main(void) {
  return take_turns(1);
}
