# SPDX-License-Identifier: BSL-1.0
"""The command: python3 -m sonde.osu NAME [OPTION...]"""
import sys
import traceback

from mpi4py import MPI

from .driver import run

if __name__ == "__main__":
    try:
        STATUS = run(sys.argv[1:], MPI.COMM_WORLD)
    except BaseException:  # of one rank: the others would wait for it
        traceback.print_exc()
        sys.stderr.flush()
        MPI.COMM_WORLD.Abort(1)
    sys.exit(STATUS)
