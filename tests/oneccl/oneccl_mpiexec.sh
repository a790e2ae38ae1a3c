#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# oneccl_mpiexec -n RANKS PROGRAM [ARGUMENT...]
#
# Starts the ranks of a program of oneCCL, which yield while they wait, since there may be fewer cores. Variables are set
# here and not by the test, since Intel's libraries would load in every process that sees them.
set -eu
export I_MPI_THREAD_YIELD=3
[ @transport@ = mpi ] || export CCL_ATL_TRANSPORT=@transport@ # oneCCL prints a line for what is not its default
libraries='@libraries@'
[ -z "$libraries" ] || export LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec @mpiexec@ "$@"
