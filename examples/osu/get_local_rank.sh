#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# get_local_rank PROGRAM [ARGUMENT...]
#
# Runs a program with the environment variable LOCAL_RANK, the rank among those of its host, as the launcher tells it,
# as the script of this name of OMB does: `mpirun -n 4 get_local_rank ./solver`. A launcher that another one started
# comes first. Without a launcher LOCAL_RANK stays as it is.
[ $# != 0 ] || {
    echo 'usage: get_local_rank PROGRAM [ARGUMENT...]' >&2
    exit 2
}
for variable in JSM_NAMESPACE_LOCAL_RANK OMPI_COMM_WORLD_LOCAL_RANK MV2_COMM_WORLD_LOCAL_RANK MVP_COMM_WORLD_LOCAL_RANK \
    MPI_LOCALRANKID PALS_LOCAL_RANKID FLUX_TASK_LOCAL_ID SLURM_LOCALID; do
    eval "rank=\${$variable-}"
    [ "$rank" ] || continue
    export LOCAL_RANK="$rank"
    break
done
exec "$@"
