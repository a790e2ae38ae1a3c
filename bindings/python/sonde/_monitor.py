# SPDX-License-Identifier: BSL-1.0
"""Live figures of an application's scopes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sonde import _sonde

if TYPE_CHECKING:
    from types import TracebackType

    from mpi4py import MPI

    from sonde._probe import Probe


class Monitor:
    """A file on each node with live figures of the scopes of its ranks, for the textfile collector of Prometheus' node exporter.

    with sonde.Monitor("/var/lib/node_exporter/solver.prom", comm) as monitor:
        monitor.add(probe)
        ...

    A thread of each process writes it, every `interval` seconds; ranks do not communicate, and nothing is collective. Ranks are those of
    the communicator, by which exchanges name partners.
    """

    def __init__(self, path: str | os.PathLike[str], comm: MPI.Comm, *, interval: float = 10) -> None:
        self._native = _sonde.Monitor(os.fspath(path), comm, interval)

    def add(self, probe: Probe) -> None:
        """Show the scopes of the probe, from now on, also those that are made later."""
        self._native.add(probe._native)

    def write(self) -> bool:
        """Write the file now; False if another process writes for the node."""
        return self._native.write()

    def close(self) -> None:
        """End the monitor, once its probes have ended, too. The last one on a node removes the file."""
        self._native.close()

    def __enter__(self) -> Monitor:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
