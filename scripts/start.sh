#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# start.sh LAUNCHER RANKS PROGRAM [ARGUMENT...]
#
# Starts an MPI program as root or not, with more ranks than cores or not. The MPI library's transport stays as it is.
# Where a container forbids copies between processes, Open MPI 4 complains about each large message, and copies
# otherwise: the complaints are counted.
set -eu
launcher=$1 ranks=$2
shift 2
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
more=
"$launcher" -n "$ranks" true >/dev/null 2>&1 </dev/null || more=--oversubscribe
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
status=0
"$launcher" $more -n "$ranks" "$@" 2>"$errors" </dev/null || status=$?
complaint='^\[.*\] Read -1, expected [0-9]*, errno = [0-9]*$'
grep -v "$complaint" "$errors" >&2 || :
complaints=$(grep -c "$complaint" "$errors" || :)
[ "$complaints" = 0 ] || echo "This container forbids copies between processes: Open MPI said so for $complaints messages, which were copied" \
    'otherwise. See docs/mpi_libraries.md#starting-programs.' >&2
exit $status
