#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# simulated.sh compile SOURCE INCLUDE_FOLDER
# simulated.sh run SOURCE INCLUDE_FOLDER RANKS...
#
# Compiles a source file with SimGrid's SMPI, as C++20 and without a warning; `run` also runs it on each number of simulated ranks.
set -eu
what=$1 source=$2 include=$3
shift 3
for program in smpicxx smpirun; do
    command -v "$program" >/dev/null || { echo "$program (SimGrid) is not installed"; exit 77; }
done
flags="-std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I$include"
if [ "$what" = compile ]; then
    exec smpicxx $flags -fsyntax-only "$source"
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
smpicxx $flags -O1 "$source" -o "$folder/program"
for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do echo "node-$i"; done >"$folder/hosts"
for ranks in "$@"; do
    echo "$ranks ranks"
    timeout 100 smpirun -np "$ranks" -platform "$(dirname "$0")/cluster.xml" -hostfile "$folder/hosts" \
        --log=root.thres:warning "$folder/program"
done
