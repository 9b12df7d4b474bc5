#!/bin/sh
# What tensim can do today, on a bundled example.
set -eu
tensim=build/tensim
example=examples/isa/math_pack_handshake.s
show() {
  echo
  echo "\$ $*"
  "$@"
}
words=build/math_pack_handshake.hex
echo "The MATH_PACK handshake of a matmul, assembled ($example):"
show $tensim asm --output $words $example
show $tensim disasm --input hex $words
echo
echo "The same words, by name:"
show $tensim disasm --input hex --named $words | head -n 8
echo "..."
echo
echo "One of them, bit by bit:"
show $tensim explain 'ttsemwait 322, 2, 2'
