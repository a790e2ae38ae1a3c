#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# configure.sh BUILD_FOLDER [MESON_OPTION...]
#
# Configures a build folder, new or not. What Meson says is shown only where it fails.
set -eu
cd "$(dirname "$0")/.."
folder=$1
again=
[ ! -f "$folder/build.ninja" ] || again=--reconfigure
log=$(mktemp)
trap 'rm -f "$log"' EXIT
meson setup $again "$@" >"$log" 2>&1 </dev/null || {
    tail -n 20 "$log"
    exit 1
}
