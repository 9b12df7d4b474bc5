#!/bin/sh
# Installs the Debian packages named, if any is missing. Without root it says which, and stops.
set -eu
missing=
for package in "$@"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
  echo "packages are missing; as root:" >&2
  echo "  apt-get install --no-install-recommends$missing" >&2
  exit 1
fi
echo "installing:$missing"
mkdir -p build
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing; } >build/deps.log 2>&1; then
  cat build/deps.log >&2
  echo "could not install:$missing" >&2
  exit 1
fi
