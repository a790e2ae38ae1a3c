#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks of the package sonde on the ranks of MPI.COMM_WORLD: `mpirun -n 3 python3 measure.py FOLDER`.

Each check is a function of a module below, whose name states a promise. FOLDER is for files.
"""

import sys
import traceback

from mpi4py import MPI

import arguments  # noqa: F401
import failing  # noqa: F401
import lateness  # noqa: F401
import monitor  # noqa: F401
import native  # noqa: F401
import records  # noqa: F401
import reports  # noqa: F401
import sonde
from support import checks, comm, refused

failed = 0
for one in checks:
    try:
        one()
    except Exception:
        failed += 1
        print(f"rank {comm.rank}: {one.__name__}\n{traceback.format_exc()}", file=sys.stderr, flush=True)
    if comm.allreduce(failed):  # after a fault ranks may disagree on what follows
        comm.Abort(1)
if comm.rank == 0:
    print(f"{len(checks)} checks passed on {comm.size} ranks")
MPI.Finalize()
refused(RuntimeError, "sonde::mpi: MPI_Finalize has been called", lambda: sonde.run(comm, print))
