#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# start.sh LAUNCHER RANKS PROGRAM [ARGUMENT...]
#
# Starts an MPI program as root or not, with more ranks than cores or not. The MPI library's transport stays as it is.
# Where a container forbids copies between processes, Open MPI 4 complains about each large message, and copies
# otherwise: the complaints are counted. The program ends after SONDE_TIME_LIMIT seconds (600).
set -eu
launcher=$1 ranks=$2 limit=${SONDE_TIME_LIMIT:-600}
shift 2
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
more=
"$launcher" -n "$ranks" true >/dev/null 2>&1 </dev/null || more=--oversubscribe

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/errors" "$folder/shown"
complaint='^\[.*\] Read -1, expected [0-9]*, errno = [0-9]*$'

# Lines go on while the program runs; the complaints among them go to a file. Neither reader ends by a signal to the
# group: they read what the launcher says last.
(trap '' INT TERM HUP && exec grep --line-buffered -v "$complaint" >&2 <"$folder/shown") &
shower=$!
(trap '' INT TERM HUP && tee "$folder/shown" <"$folder/errors" | grep "$complaint" >"$folder/complaints") &
counter=$!

# A signal goes to the launcher, whose status is kept; timeout passes it on. It may come before the launcher has started.
signaled= started=
pass_on() {
    signaled=$1
    [ -z "$started" ] || kill -"$1" "$started" 2>/dev/null || :
}
for signal in 1 2 15; do trap "pass_on $signal" $signal; done
timeout --kill-after=10 "$limit" "$launcher" $more -n "$ranks" "$@" 2>"$folder/errors" </dev/null &
started=$!
[ -z "$signaled" ] || pass_on "$signaled"
ended() {
    status=0
    wait $started 2>/dev/null || status=$?
}
ended
while kill -0 $started 2>/dev/null; do ended; done # a signal ends `wait`, too
# Where the program ended at that moment, the shell still has its status; else it says 127.
last=$status
ended
[ $status != 127 ] || status=$last
wait $shower || :
wait $counter || :
complaints=$(wc -l <"$folder/complaints")
[ "$complaints" = 0 ] || echo "This container forbids copies between processes: Open MPI said so for $complaints messages, which were copied" \
    'otherwise. See docs/mpi_libraries.md#starting-programs.' >&2
[ $status != 124 ] || [ "$signaled" ] || echo "start.sh: $1 was ended after $limit s" >&2
[ -z "$signaled" ] || [ $status != 0 ] || status=$((128 + signaled))
exit $status
