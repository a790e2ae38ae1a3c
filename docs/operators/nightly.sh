#!/bin/bash
# SPDX-License-Identifier: BSL-1.0
# Job of every night: all pairs of nodes, launches that are compared with those of a good night, and their history.
#SBATCH --job-name=sonde-nightly
#SBATCH --nodes=16
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=00:20:00

results=${SONDE_RESULTS:-$HOME/sonde-results}
metrics=${SONDE_METRICS:-/var/lib/node_exporter/textfile}
night=$results/$(date +%F)
start="srun --mpi=pmix"
mkdir -p "$night"

$start sonde-map --quick --expect latency=5 --expect bandwidth=10000 --json "$night/map.jsonl" --html "$night/map.html"
map=$?

sonde-launch -n 10 --append --out "$night/allreduce.jsonl" -- $start osu_allreduce -m 8:1048576 -i 100
# The good night: ln -s 2030-01-31 "$results/good"
compared=0
if [ -e "$results/good/allreduce.jsonl" ]; then
    sonde-compare "$results/good/allreduce.jsonl" "$night/allreduce.jsonl" > "$night/compare.txt"
    compared=$?
fi

# Since which night a row is slower: a page to read.
sonde-compare --history "$results"/*/allreduce.jsonl --html "$results/history.html" > "$results/history.txt" 2>&1

# The figures of the last night, for Prometheus' node exporter on this node.
$start osu_allreduce -m 8:1048576 -i 1000 --report openmetrics="$metrics/sonde.prom"

[ "$map" -eq 0 ] && [ "$compared" -eq 0 ]
