#!/bin/sh
# Installs the Debian packages named, if any is missing.
set -eu
missing=
for package in "$@"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "installing:$missing"
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
mkdir -p build
export DEBIAN_FRONTEND=noninteractive
if ! { $sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends $missing; } >build/deps.log 2>&1; then
  cat build/deps.log >&2
  echo "could not install:$missing" >&2
  exit 1
fi
