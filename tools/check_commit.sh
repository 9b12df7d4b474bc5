#!/bin/sh
# What must not be in the tree: paths of one machine, unfinished work.
set -eu
if git grep -nE '(^|[^A-Za-z0-9_.])/(work|tmp/ref|home/[a-z]+)/' -- . ':!tools/check_commit.sh'; then
  echo "tracked files name paths of one machine" >&2
  exit 1
fi
if git grep -nE '\b(TODO|FIXME|XXX)\b' -- src apps tests tools ':!tools/check_commit.sh'; then
  echo "unfinished work in the sources" >&2
  exit 1
fi
