#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# mpi_run [-t SECONDS] -n RANKS PROGRAM [ARGUMENT...]
#
# Runs an MPI program under the launcher that the build found, more ranks than cores or not, as root or not, and never
# longer than SECONDS (120): then it ends with 124. Ranks that all end with 77 make it end with 77, a skipped test.
set -eu
seconds=120
if [ "$1" = -t ]; then
    seconds=$2
    shift 2
fi
# Open MPI runs as root only when told twice, and copies between processes in a way that many containers forbid; where it
# may not even pretend to ("none"), it has no windows.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=emulated
# MPI libraries keep memory until the end, in parts that they have unloaded by then, so that a leak has no name to suppress
# it by. That nothing of ours is left is what the ledger of calls in tests/mpi says.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
exec timeout --kill-after=5 "$seconds" @mpiexec@ "$@" </dev/null
