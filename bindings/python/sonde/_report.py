# SPDX-License-Identifier: BSL-1.0
"""Report files."""

from __future__ import annotations

import os
from types import TracebackType
from typing import TYPE_CHECKING

from sonde import _sonde
from sonde._comparison import Comparison
from sonde._lateness import Lateness
from sonde._probe import Scopes
from sonde._record import Record

if TYPE_CHECKING:
    from mpi4py import MPI


class Reporter:
    """A file of results: `with sonde.Reporter("results.jsonl", comm) as report:`.

    The form follows from the extension: `.jsonl` (JSON Lines, which `sonde.read` reads), `.csv`, `.html` (a page),
    `.prom` (OpenMetrics), `.txt` (a table), or `.svg`, `.png` or `.pdf` (a picture by gnuplot). JSON Lines and a page begin with the environment of the communicator. Rank 0 writes the file; the
    constructor is collective, the other calls are not. Pass a reporter as `report=` of `sonde.run`, or call it.
    """

    def __init__(self, path: str | os.PathLike[str], comm: MPI.Comm) -> None:
        """Open the file. OSError and ValueError are raised on all ranks. Collective over the communicator."""
        self._native = _sonde.open_report("sonde.Reporter", path, comm)

    def __call__(self, found: Record | Comparison | Scopes | Lateness) -> None:
        """Write a result."""
        if isinstance(found, Scopes):
            self._native.take([scope._native for scope in found])
        elif isinstance(found, Record):
            self._native.take(found._native)
        elif isinstance(found, Comparison):
            self._native.take(found._native)
        elif isinstance(found, Lateness):
            self._native.take(found._native)
        else:
            raise TypeError(f"sonde.Reporter: the result is of type {type(found).__name__}, which has no report")

    def close(self) -> None:
        """Complete the file."""
        self._native.close()

    def __enter__(self) -> Reporter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()
