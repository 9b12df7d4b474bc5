#!/bin/sh
# Bounded fuzzing: each target runs for a few seconds on fresh inputs beside its seeds, as many at a time as there are
# processors. Usage: fuzz.sh BUILD_DIR [SECONDS]
set -eu
build=$1
seconds=${2:-10}
target=${3:-}

if [ -z "$target" ]; then
  find "$build/fuzz" -maxdepth 1 -name 'fuzz_*' -type f -perm -u+x | sort |
    xargs -P "$(nproc)" -n 1 "$0" "$build" "$seconds"
  exit
fi

name=$(basename "$target")
corpus=$(mktemp -d)
trap 'rm -rf "$corpus"' EXIT
[ -d "fuzz/seeds/$name" ] && cp "fuzz/seeds/$name"/* "$corpus"
# The examples are its seeds; the first byte chooses the architecture.
if [ "$name" = fuzz_assembler ]; then
  for example in examples/isa/*.s; do
    { printf '\0'; cat "$example"; } >"$corpus/$(basename "$example")"
  done
fi
[ "$name" = fuzz_scenario ] && find examples/scenarios -name '*.toml' -exec cp {} "$corpus" \;
if ! "$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$build/fuzz/" "$corpus" >"$build/fuzz/$name.log" 2>&1; then
  tail -n 40 "$build/fuzz/$name.log" >&2
  exit 255  # so that xargs stops
fi
echo "$name: $seconds s, $(sed -n 's/^stat::number_of_executed_units: *//p' "$build/fuzz/$name.log") inputs"
