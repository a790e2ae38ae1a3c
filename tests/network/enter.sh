#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# enter.sh HOST COMMAND...
#
# Runs a command in the namespaces of a host of hosts.py, as rsh runs it on a machine. $HOSTS is a folder with a file for
# each host, which has the number of a process in it. With $MOUNTS its file systems are entered, too.
set -eu
process=$(cat "$HOSTS/$1")
shift
exec nsenter --target "$process" --net --uts --time ${MOUNTS:+--mount} sh -c "$*"
