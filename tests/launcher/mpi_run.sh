#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# mpi_run [-t SECONDS] -n RANKS PROGRAM [ARGUMENT...]
#
# Runs an MPI program under the launcher that the build found, with any number of ranks, as root or not. A program that
# runs longer than SECONDS (400) is ended with a message and exit status 124. Ranks that all end with 77 make it end
# with 77, a skipped test. If the output cannot be written, a line says so and the exit status is not 0.
# SONDE_TEST_MPI=PREFIX takes the launcher and the library below PREFIX, of the same binary interface as the build's.
set -eu
seconds=400
if [ "$1" = -t ]; then
    seconds=$2
    shift 2
fi
# Open MPI requires two variables to run as root, and copies between processes in a way that many containers forbid;
# without any such copy mechanism ("none") it has no windows.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=emulated
export OMPI_MCA_rmaps_base_oversubscribe=1
# The same for Open MPI 5.
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_sm_single_copy_mechanism=emulated
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_osc="${OMPI_MCA_osc:-^ucx,pt2pt}"
# Waiting ranks of Intel MPI give their core away.
export I_MPI_THREAD_YIELD=3
# On one host Open MPI chooses ob1, but it first asks libraries of fabrics for devices: two thirds of the time of a start.
export OMPI_MCA_pml="${OMPI_MCA_pml:-ob1}"
# Open MPI maps the symmetric heap of OpenSHMEM to 0xFF000000, which is shadow memory of AddressSanitizer.
export OMPI_MCA_sshmem_base_start_address="${OMPI_MCA_sshmem_base_start_address:-0x200000000000}"
# MPI libraries keep memory until the end, allocated by parts that are unloaded by then, so that a leak has no name to
# suppress. The ledger of calls in tests/mpi checks that no object of Sonde's is left.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

mpiexec=@mpiexec@
if [ "${SONDE_TEST_MPI-}" ]; then
    mpiexec=$SONDE_TEST_MPI/bin/mpiexec
    export LD_LIBRARY_PATH="$SONDE_TEST_MPI/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    # mpi4py that loads the library it finds, where it is installed beside.
    mpi4py=${SONDE_TEST_MPI%/*}/mpi4py/lib/python3/dist-packages
    [ ! -d "$mpi4py" ] || export PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}$mpi4py"
fi
set -- "$mpiexec" "$@"
command -v "$1" >/dev/null || {
    echo "mpi_run: $1 is not installed; Debian has it in openmpi-bin or mpich"
    exit 77
}
(: 3>&1) 2>/dev/null || {
    echo 'mpi_run: the output is closed' >&2
    exit 1
}
began=$(date +%s)
# Open MPI's launcher drops output that it cannot write, to a full disk or to a reader that has ended, and ends with 0.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Open MPI's launchers share a folder of temporary files, which one removes while another makes its own in it.
export TMPDIR="$folder"
mkfifo "$folder/output"
cat "$folder/output" 2>/dev/null &
writer=$!
# The launcher gets a signal once: Open MPI's ends at the second one without ending its ranks. So timeout(1) runs in a
# session of its own, which the terminal does not signal, and signals its child only. A signal to this script is passed
# on to it and ends the wait for it.
setsid timeout --foreground --kill-after=5 "$seconds" "$@" </dev/null >"$folder/output" &
launcher=$!
signaled=
trap 'signaled=yes; kill -TERM $launcher 2>/dev/null' TERM INT HUP
status=0
wait $launcher || status=$?
[ -z "$signaled" ] || wait $launcher || status=$?
kill -KILL -$launcher 2>/dev/null || : # ranks that a killed launcher left
wait $writer || {
    echo 'mpi_run: the output cannot be written' >&2
    [ $status != 0 ] || status=1
}
case $status in
124 | 137)
    [ $(($(date +%s) - began)) -lt "${seconds%.*}" ] \
        || echo "mpi_run: ended after $seconds s, its limit; mpi_run -t SECONDS sets another" >&2
    ;;
esac
exit $status
