#include "ring.h"

int main(void) {
  return take_turns(ROUNDS);
}
