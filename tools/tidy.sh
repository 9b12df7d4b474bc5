#!/bin/sh
# clang-tidy over the library and the command. Usage: tidy.sh BUILD_DIR
set -eu
git ls-files 'src/*.cpp' 'apps/*.cpp' | grep -v '_test\.cpp$' |
  xargs -P "$(nproc)" -n 4 clang-tidy-19 --quiet --warnings-as-errors='*' -p "$1" 2>/dev/null
