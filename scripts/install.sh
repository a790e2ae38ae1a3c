#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# install.sh PACKAGE...
#
# Installs those of Debian's packages that are missing; does nothing, and needs no rights, when none is.
set -eu
if ! command -v dpkg-query >/dev/null; then
    echo "not a Debian system: going on with what is installed (Debian calls what is needed: $*)"
    exit 0
fi
missing=
for package in "$@"; do
    dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null || {
        echo "These packages are missing, and neither root nor sudo is here to install them:$missing" >&2
        exit 1
    }
fi
echo "installing$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq </dev/null
known=
for package in $missing; do
    if apt-cache show "$package" >/dev/null 2>&1; then known="$known $package"; else echo "not in this release of Debian: $package"; fi
done
[ -z "$known" ] || $as_root apt-get install -qq -y --no-install-recommends $known </dev/null >/dev/null
