#!/bin/sh
# Host instructions per simulated instruction, packet or request, by callgrind: the same number on every run.
set -eu
log=$(mktemp)
trap 'rm -f "$log" "$log.out"' EXIT

count() {  # NAME PROGRAM [ARGUMENT]
  name=$1
  shift
  valgrind --tool=callgrind --callgrind-out-file="$log.out" --toggle-collect=tensim_counted "$@" >"$log" 2>&1
  simulated=$(sed -n 's/^\([0-9]*\) [a-z]* in .*/\1/p' "$log")
  unit=$(sed -n 's/^[0-9]* \([a-z]*\)s in .*/\1/p' "$log")
  host=$(sed -n 's/.*I *refs: *\([0-9,]*\).*/\1/p' "$log" | tr -d ,)
  echo "$name: $((host / simulated)) host instructions per simulated $unit ($host for $simulated)"
}

count "semaphore pipeline" build/bench/tensim_count
count "five cores, mixed loop" build/bench/tensim_count_cores mixed
count "five cores, arithmetic" build/bench/tensim_count_cores alu
for chip in blackhole wormhole; do
  count "five cores, blocks in one bank, $chip" build/bench/tensim_count_cores counted $chip
  for tiles in 1 10 40; do
    count "the same on $tiles tiles, $chip" build/bench/tensim_count_busy_chip $tiles same $chip
  done
  count "the same on 40 tiles, all different, $chip" build/bench/tensim_count_busy_chip 40 other $chip
done
for program in semaphores mutex dmanop sfpmad sfploadstore mvmul every_eighth stored; do
  for chip in blackhole wormhole; do
    count "pushed by cores, $program, $chip" build/bench/tensim_count_feeding $program $chip
  done
done
for traffic in alone stream crowd multicast; do
  count "network, $traffic" build/bench/tensim_count_network $traffic
done
for request in write posted dram; do
  count "chip, $request" build/bench/tensim_count_chip $request
done
