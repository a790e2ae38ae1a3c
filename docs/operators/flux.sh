#!/bin/bash
# SPDX-License-Identifier: BSL-1.0
#flux: --job-name=sonde
#flux: --nodes=2
#flux: --exclusive
#flux: --time-limit=10m
#
# A job of Flux: flux batch flux.sh.

programs=$HOME/sonde/build/examples
start="flux run --nodes=2 --ntasks=8 -o cpu-affinity=per-task" # and -o pmi=pmix, or cray-pals, if the library reads that

flux run --nodes=2 --ntasks=2 "$programs/osu/osu_latency" --report json=latency.jsonl
$start "$programs/osu/osu_allreduce" -f --report json=allreduce.jsonl
flux run --nodes=2 --ntasks=2 "$programs/tools/sonde-map" --json map.jsonl --html map.html
"$programs/tools/sonde-launch" -n 10 --out allreduce-launches.jsonl -- $start "$programs/osu/osu_allreduce" -m 8:1024
$start ./solver
