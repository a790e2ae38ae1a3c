#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# waits.sh EXPECTED COMMAND [ARGUMENT...]
#
# Passes if the command prints the line EXPECTED, once, and then still waits; it is ended here. With an empty EXPECTED
# it passes if the command ends by itself, without an error and without a word of a wait.
set -u
expected=$1
shift
said=$(mktemp)
trap 'rm -f "$said"' EXIT
"$@" >"$said" 2>&1 &
command=$!
if [ -z "$expected" ]; then
    wait $command || { cat "$said"; echo 'it failed'; exit 1; }
    cat "$said"
    ! grep 'has waited' "$said" || { echo 'it told of a wait'; exit 1; }
    exit 0
fi
until grep -qFx "$expected" "$said" || ! kill -0 $command 2>/dev/null; do sleep 0.1; done
sleep 3 # three times the limit: time for a second line, if there is one
kill -0 $command 2>/dev/null || { cat "$said"; echo 'it has ended'; exit 1; }
kill -TERM $command
wait $command
grep 'has waited\|has not come\|SONDE_WATCHDOG' "$said"
# Without the line of rank 1, which may come later, where another one is expected.
early=$({ grep -Fx "$expected" "$said"; grep -vFx "$expected" "$said" | grep -v 'rank 1 has waited'; } | grep -c 'has waited\|SONDE_WATCHDOG')
[ "$(grep -cFx "$expected" "$said")$early" = 11 ] || { cat "$said"; echo "it did not say once: $expected"; exit 1; }
