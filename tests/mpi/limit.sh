#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# limit.sh MPI_RUN
#
# mpi_run ends a program at its limit and prints one line about it; a signal to mpi_run ends the program, too.
set -u
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

said=$("$1" -t 1 -n 2 sleep 30 2>&1)
status=$?
echo "$said"
[ $status = 124 ] || { echo "status $status, expected 124"; exit 1; }
[ "$(echo "$said" | grep -c '^mpi_run: ended after 1 s, its limit')" = 1 ] || { echo 'it did not name its limit'; exit 1; }

"$1" -n 1 sh -c "echo \$\$ >'$place/pid'; exec sleep 30" >"$place/said" 2>&1 &
runner=$!
until [ -s "$place/pid" ]; do sleep 0.1; done
kill -TERM $runner
wait $runner
for attempt in 1 2 3 4 5 6 7 8 9 10; do # its parent may reap it late
    kill -0 "$(cat "$place/pid")" 2>/dev/null || break
    [ $attempt -lt 10 ] || { echo 'the program outlived mpi_run'; exit 1; }
    sleep 0.5
done
! grep -q 'its limit' "$place/said" || { echo 'a signal was taken for the limit'; exit 1; }
