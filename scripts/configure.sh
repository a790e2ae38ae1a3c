#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# configure.sh BUILD_FOLDER [MESON_OPTION...]
#
# Configures a build folder, new or not. Meson's output is shown only where it fails.
set -eu
cd "$(dirname "$0")/.."
folder=$1
again=
[ ! -f "$folder/build.ninja" ] || again=--reconfigure
log=$(mktemp)
trap 'rm -f "$log"' EXIT
scripts/progress.py "configuring $folder" "$log" meson setup $again "$@"
