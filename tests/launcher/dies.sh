#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# dies.sh PROGRAM
#
# Rank 2 of 4 dies in a job that survives it: the others name it, with their records, and the job ends with a status other
# than 0. For Open MPI 5 below SONDE_TEST_MPI; skipped without.
set -u
prefix=${SONDE_TEST_MPI-}
[ -x "$prefix/bin/prterun" ] || { echo 'skipped: a job that survives a rank needs Open MPI 5 below SONDE_TEST_MPI'; exit 77; }
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export LD_LIBRARY_PATH="$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# ends MODE STATUS LEAST LINE: the program ends with the status, and at least so many of the three other ranks print the line.
ends() {
    said=$(timeout -k 1 20 "$prefix/bin/mpirun" --allow-run-as-root --with-ft ulfm --map-by :OVERSUBSCRIBE -n 4 "$program" "$1" 2>&1)
    status=$?
    echo "$said"
    [ $status = "$2" ] || { echo "status $status, expected $2"; exit 1; }
    [ "$(echo "$said" | grep -c "$4")" -ge "$3" ] || { echo "fewer than $3 lines: $4"; exit 1; }
}
program=$1
ends caught 3 3 '^rank [013] kept 2 records; rank 2 has died: MPI_'
ends ended 1 1 'sonde: rank [013]: rank 2 has died: MPI_'
