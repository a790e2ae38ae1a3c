#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# aborts.sh TEXT MORE COMMAND [ARGUMENT...]
#
# Passes if the command fails by itself and prints both texts.
set -u
text=$1 more=$2
shift 2
said=$("$@" 2>&1)
status=$?
printf '%s\n(status %s)\n' "$said" "$status"
[ "$status" -ne 0 ] || { echo 'it did not fail'; exit 1; }
[ "$status" -ne 124 ] && [ "$status" -ne 137 ] || { echo 'it was ended by the time-out'; exit 1; }
case $said in *"$text"*) ;; *) echo "it did not say: $text"; exit 1 ;; esac
case $said in *"$more"*) ;; *) echo "it did not say: $more"; exit 1 ;; esac
