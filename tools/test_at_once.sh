#!/bin/sh
# Runs the tests in a few processes instead of one each, which is what the sanitizers' start-up would cost most time for.
# Usage: test_at_once.sh TEST_PROGRAM FILTER
set -eu
program=$1
filter=$2
part=${3:-}
parts=8  # more than processors: some are done sooner

if [ -z "$part" ]; then
  seq 0 $((parts - 1)) | xargs -P "$(nproc)" -n 1 "$0" "$program" "$filter"
  exit
fi

log=$program.$part.log
if ! GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$part "$program" --gtest_filter="$filter" >"$log" 2>&1; then
  grep -v -e '^\[ *RUN' -e '^\[ *OK' -e '^\[-----' "$log" >&2
  exit 255  # so that xargs stops
fi
echo "part $part of $parts: $(sed -n 's/^\[  PASSED  \] //p' "$log")"
