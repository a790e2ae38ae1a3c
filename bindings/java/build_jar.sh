#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# build_jar.sh JAVAC JAR FOLDER OUTPUT CLASSPATH FILE...
#
# Compiles sources, with classes in FOLDER, into a jar. NAME.pom is its description for Maven; other files, such as a
# license, go to META-INF.
set -eu
javac=$1 jar=$2 folder=$3 output=$4 classpath=$5
shift 5
rm -rf "$folder"
for file; do
    shift
    case $file in
    *.java) set -- "$@" "$file" ;;
    *.pom) install -D -m 644 "$file" "$folder/META-INF/maven/org.sonde/$(basename "$file" .pom)/pom.xml" ;;
    *) install -D -m 644 "$file" "$folder/META-INF/$(basename "$file")" ;;
    esac
done
"$javac" --release 17 -Xlint:all -Werror -encoding UTF-8 -cp "$classpath" -d "$folder" "$@"
"$jar" --create --file "$output" -C "$folder" .
