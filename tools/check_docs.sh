#!/bin/sh
# The generated pages must be what the tables generate. Usage: check_docs.sh TENSIM_DOCS
set -eu
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$1" "$fresh"
diff -r "$fresh/isa" docs/isa && diff "$fresh/timing.md" docs/timing.md && diff "$fresh/races.md" docs/races.md || {
  echo "docs/ is not up to date: run make docs" >&2
  exit 1
}
