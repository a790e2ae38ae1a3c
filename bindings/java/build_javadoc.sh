#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# build_javadoc.sh JAVADOC JAR FOLDER OUTPUT SOURCE...
#
# Packs the descriptions of the public names, by way of FOLDER, into a jar. Fails for a name without a description.
set -eu
javadoc=$1 jar=$2 folder=$3 output=$4
shift 4
rm -rf "$folder"
"$javadoc" -quiet -Xdoclint:all -Werror -notimestamp -encoding UTF-8 -d "$folder" "$@"
"$jar" --create --file "$output" -C "$folder" .
