#!/bin/bash
# SPDX-License-Identifier: BSL-1.0
#SBATCH --job-name=sonde
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --exclusive
#SBATCH --time=00:10:00
#
# A job of Slurm: sbatch slurm.sh.

programs=$HOME/sonde/build/examples
start="srun --mpi=pmix --cpu-bind=cores" # or --mpi=pmi2: srun --mpi=list
nodes=$SLURM_JOB_NUM_NODES

# One rank on each of two nodes, and all ranks.
$start --nodes=2 --ntasks=2 --ntasks-per-node=1 "$programs/osu/osu_latency" --report json=latency.jsonl
$start "$programs/osu/osu_allreduce" -f --report json=allreduce.jsonl

# All pairs of nodes.
$start --ntasks="$nodes" --ntasks-per-node=1 "$programs/tools/sonde-map" --json map.jsonl --html map.html

# Ten launches of one program, for sonde-compare.
"$programs/tools/sonde-launch" -n 10 --out allreduce-launches.jsonl -- $start "$programs/osu/osu_allreduce" -m 8:1024

# An application.
$start ./solver
