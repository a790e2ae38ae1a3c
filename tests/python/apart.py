# SPDX-License-Identifier: BSL-1.0
"""The last rank collects a probe while the others run."""
import time
from mpi4py import MPI
import sonde
comm = MPI.COMM_WORLD
if comm.rank == comm.size - 1:
    sonde.Probe().collect(comm)
else:
    sonde.run(comm, lambda: None)
time.sleep(600)
