#!/bin/bash
# SPDX-License-Identifier: BSL-1.0
# Prolog or Epilog of Slurm (slurm.conf: Prolog=, Epilog=): checks the node by messages between ranks on it.
#
# Slurm drains a node whose prolog or epilog does not end with 0. Only a pair that is worse than expected does that: not
# a suspect, of which a healthy node has one in a hundred checks, and not a check that could not run.

expect=(--expect latency=2 --expect bandwidth=2000)
user=nobody # root needs no MPI
job=$SLURM_JOB_ID
unset "${!SLURM@}" # mpirun would start its ranks by srun, in a job that has not begun

line=$(runuser -u "$user" -- timeout 30 mpirun -n 4 sonde-map --nagios --per rank --latency 8 --bandwidth 1M --budget 4 "${expect[@]}")
status=$?
[ "$status" -eq 0 ] || logger -t sonde -- "job $job: ${line:-no result, status $status}"
# 124: timeout. A critical check has printed its line; a status of 2 without it is that of a launcher.
[[ "$status" -eq 2 && "$line" == CRITICAL* ]] && exit 1
exit 0
