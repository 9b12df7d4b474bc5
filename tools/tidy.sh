#!/bin/sh
# clang-tidy over the library and the command. Usage: tidy.sh BUILD_DIR
#
# Most of its time goes into headers, so sources are looked at in batches: one translation unit includes several.
# Neighbours often have helpers of the same name, so a batch takes its files from all over the tree; where names
# clash all the same, it is divided.
set -eu
build=$1
shift
flags='-std=c++20 -DFMT_SHARED -DTENSIM_VERSION="0" -DTENSIM_LIBRARY_ARCH=blackhole -I. -Isrc -Iinclude'

tidy() {
  clang-tidy-19 --quiet --config-file=.clang-tidy --warnings-as-errors='*' "$@" 2>/dev/null || exit 255  # so that xargs stops
}

if [ $# -eq 1 ]; then
  tidy -p "$build" "$1"
  exit
fi
if [ $# -gt 1 ]; then
  batch=$(mktemp --suffix=.cpp)
  trap 'rm -f "$batch"' EXIT
  printf '#include "%s"\n' "$@" >"$batch"
  # shellcheck disable=SC2086  # flags are several words
  if clang++-19 -fsyntax-only -w $flags "$batch" 2>/dev/null; then
    tidy --checks=-bugprone-suspicious-include "$batch" -- $flags
  else
    echo "$@" | xargs -n "$((($# + 1) / 2))" "$0" "$build"
  fi
  exit
fi

# Takes sources from the input in batches of the size given.
in_batches() {
  sources=$(cat)
  batches=$((($(echo "$sources" | wc -l) + $1 - 1) / $1))
  echo "$sources" | awk -v batches="$batches" '{ print NR % batches, $0 }' | sort -s -n -k 1,1 | cut -d ' ' -f 2 |
    xargs -P "$(nproc)" -n "$1" "$0" "$build"
}
git ls-files 'src/*.cpp' | grep -v -e '_test\.cpp$' -e '^src/capi/' | in_batches 20
git ls-files 'src/capi/*.cpp' 'apps/*.cpp' | grep -v '_test\.cpp$' | in_batches 6
