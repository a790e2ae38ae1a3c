#!/bin/bash
# SPDX-License-Identifier: BSL-1.0
#PBS -N sonde
#PBS -l select=2:ncpus=64:mpiprocs=4
#PBS -l place=scatter:excl
#PBS -l walltime=00:10:00
#
# A job of PBS: qsub pbs.sh. `mpiexec` is that of PALS on machines of HPE, otherwise that of the MPI library, which finds
# the nodes by itself if it is built for PBS.

cd "$PBS_O_WORKDIR" || exit 1
programs=$HOME/sonde/build/examples
start="mpiexec --ppn 4 --cpu-bind core" # PALS; Open MPI: mpirun --map-by ppr:4:node --bind-to core
nodes=$(sort -u "$PBS_NODEFILE" | wc -l)

mpiexec -n 2 --ppn 1 "$programs/osu/osu_latency" --report json=latency.jsonl
$start -n $((4 * nodes)) "$programs/osu/osu_allreduce" -f --report json=allreduce.jsonl
mpiexec -n "$nodes" --ppn 1 "$programs/tools/sonde-map" --json map.jsonl --html map.html
"$programs/tools/sonde-launch" -n 10 --out allreduce-launches.jsonl -- \
    $start -n $((4 * nodes)) "$programs/osu/osu_allreduce" -m 8:1024
$start -n $((4 * nodes)) ./solver
