#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# build_jar.sh JAVAC JAR FOLDER OUTPUT CLASSPATH SOURCE...
#
# Compiles sources, with classes in FOLDER, into a jar.
set -eu
javac=$1 jar=$2 folder=$3 output=$4 classpath=$5
shift 5
rm -rf "$folder"
"$javac" --release 17 -Xlint:all -Werror -encoding UTF-8 -cp "$classpath" -d "$folder" "$@"
"$jar" --create --file "$output" -C "$folder" .
