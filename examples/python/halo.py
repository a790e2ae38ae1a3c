#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Heat along a plate whose rows are distributed over the ranks.

The solver exchanges its halo rows by MPI_Sendrecv or by persistent requests: it measures both ways in place, and goes on
with the faster one. At the end rank 0 compares the result with a run of its own.

    mpirun -n 4 python3 halo.py [ROWS COLUMNS STEPS]
"""

from __future__ import annotations

import sys

import numpy
import numpy.typing
from mpi4py import MPI

import sonde

Field = numpy.typing.NDArray[numpy.float64]


class Plate:
    """The rows of this rank, with a halo row above and below. The edges of the plate stay at their temperatures."""

    def __init__(self, comm: MPI.Comm, rows: int, columns: int) -> None:
        self.comm = comm
        first, last = (rows * r // comm.size for r in (comm.rank, comm.rank + 1))
        self.field = initial(rows, columns)[first : last + 2].copy()
        self.above = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
        self.below = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
        rows_of_halo = self.field[1], self.field[-2], self.field[0], self.field[-1]
        up, down, from_above, from_below = rows_of_halo
        self.requests = [
            comm.Recv_init(from_above, self.above),
            comm.Recv_init(from_below, self.below),
            comm.Send_init(up, self.above),
            comm.Send_init(down, self.below),
        ]

    # [exchanges]
    def sendrecv(self) -> None:
        """Exchange the halo by two calls of MPI_Sendrecv."""
        f = self.field
        self.comm.Sendrecv(f[1], self.above, recvbuf=f[-1], source=self.below)
        self.comm.Sendrecv(f[-2], self.below, recvbuf=f[0], source=self.above)

    def persistent(self) -> None:
        """Exchange the halo by persistent requests."""
        MPI.Prequest.Startall(self.requests)
        MPI.Request.Waitall(self.requests)

    # [/exchanges]

    def smooth(self) -> None:
        """One step of Jacobi's method on the rows of this rank."""
        step(self.field)

    def free(self) -> None:
        """Free the persistent requests."""
        for request in self.requests:
            request.Free()


def initial(rows: int, columns: int) -> Field:
    """The plate with its edge: hot at the top, cold elsewhere."""
    field = numpy.zeros((rows + 2, columns + 2))
    field[0] = 100
    return field


def step(field: Field) -> None:
    """Replace each inner cell by the mean of its neighbors."""
    field[1:-1, 1:-1] = (field[:-2, 1:-1] + field[2:, 1:-1] + field[1:-1, :-2] + field[1:-1, 2:]) / 4


def main(rows: int = 64, columns: int = 256, steps: int = 100) -> None:
    """Choose an exchange, solve, compare with one rank."""
    comm = MPI.COMM_WORLD
    if rows < comm.size:
        sys.exit(f"halo.py: {rows} rows are too few for {comm.size} ranks")
    plate = Plate(comm, rows, columns)

    # [compare]
    found = sonde.compare(
        comm,
        {"Sendrecv": plate.sendrecv, "persistent": plate.persistent},
        bytes=2 * plate.field[0].nbytes,
        until=0.02,
        budget=0.5,
        gain=0.02,
    )
    if comm.rank == 0:
        print(found)
    exchange = {"Sendrecv": plate.sendrecv, "persistent": plate.persistent}[found.fastest]
    # [/compare]

    # [probe]
    probe = sonde.Probe()
    halo, inner = probe("exchange", bytes=2 * plate.field[0].nbytes), probe("smooth")
    for _ in range(steps):
        with probe("step"):
            with halo:
                exchange()
            with inner:
                plate.smooth()
    scopes = probe.collect(comm)
    if comm.rank == 0:
        print(scopes)
    # [/probe]

    plate.free()
    parts = comm.gather(plate.field[1:-1])
    if parts is not None:
        alone = initial(rows, columns)
        for _ in range(steps):
            step(alone)
        same = numpy.array_equal(numpy.concatenate(parts), alone[1:-1])
        print(f"{found.fastest} on {comm.size} ranks: the result is", "that of one rank" if same else "wrong")
        if not same:
            comm.Abort(1)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
