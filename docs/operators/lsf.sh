#!/bin/bash
# SPDX-License-Identifier: BSL-1.0
#BSUB -J sonde
#BSUB -nnodes 2
#BSUB -W 10
#
# A job of LSF: bsub < lsf.sh. `jsrun` starts resource sets: -r of them on a node, each with -a ranks on -c cores.

programs=$HOME/sonde/build/examples
start="jsrun -n 8 -r 4 -a 1 -c 1"

jsrun -n 2 -r 1 -a 1 -c 1 "$programs/osu/osu_latency" --report json=latency.jsonl
$start "$programs/osu/osu_allreduce" -f --report json=allreduce.jsonl
jsrun -n 2 -r 1 -a 1 -c 1 "$programs/tools/sonde-map" --json map.jsonl --html map.html
"$programs/tools/sonde-launch" -n 10 --out allreduce-launches.jsonl -- $start "$programs/osu/osu_allreduce" -m 8:1024
$start ./solver
