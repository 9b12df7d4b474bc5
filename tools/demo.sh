#!/bin/sh
# What tensim can do today, on bundled examples.
set -eu
tensim=build/tensim
example=examples/isa/math_pack_handshake.s
# Prints a command as it can be pasted, then runs it.
show() {
  line=
  for word in "$@"; do
    case $word in
      *[!A-Za-z0-9_./=-]*) word="'$word'" ;;
    esac
    line="$line $word"
  done
  echo
  echo "\$$line"
  "$@"
}
words=build/math_pack_handshake.hex
echo "The MATH_PACK handshake of a matmul, assembled ($example):"
show $tensim asm --output $words $example
show $tensim disasm --input hex $words
echo
echo "The same words, by name:"
show $tensim disasm --input hex --named $words | sed -n 1,9p
echo "..."
echo
echo "One of them, bit by bit:"
show $tensim explain 'ttsemwait 322, 2, 2'
echo
echo "And three threads that use it, cycle by cycle:"
show $tensim run examples/scenarios/math_pack_handshake.toml
echo
echo "The same without its SEMPOST:"
show $tensim run examples/scenarios/deadlocks/missing_sempost.toml

programs=build/examples/guest/blackhole
if [ -f $programs/handshake/brisc.elf ]; then
  echo
  echo "Four programs in C on the cores of a tile; the three T cores push the handshake:"
  show $tensim run --brisc $programs/handshake/brisc.elf --trisc0 $programs/handshake/trisc0.elf \
    --trisc1 $programs/handshake/trisc1.elf --trisc2 $programs/handshake/trisc2.elf --held trisc0 trisc1 trisc2
  echo
  echo "The same with pack's SEMPOST forgotten:"
  show $tensim run --brisc $programs/broken/brisc.elf --trisc0 $programs/broken/trisc0.elf \
    --trisc1 $programs/broken/trisc1.elf --trisc2 $programs/broken/trisc2.elf --held trisc0 trisc1 trisc2 || true
  echo
  echo "And a matmul: 32x32x32 in BF16, unpacked, multiplied and packed by the three T cores, checked by BRISC:"
  show $tensim run examples/guest/matmul/blackhole.toml
  echo
  echo "Four tiles that give each other a turn over the NoC, and one of them forgets to:"
  show $tensim run examples/guest/noc_ring/blackhole_forgetful.toml || true
fi
