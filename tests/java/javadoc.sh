#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# javadoc.sh JAVADOC FOLDER SOURCE...: fails if javadoc warns of a public name without a description.
set -eu
javadoc=$1 folder=$2
shift 2
"$javadoc" -quiet -Xdoclint:all -Werror -encoding UTF-8 -d "$folder" "$@"
