# SPDX-License-Identifier: BSL-1.0
"""Invalid input, which ends the program on all ranks."""
from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from mpi4py import MPI

T = TypeVar("T")


class Refusal(Exception):
    """Invalid input, as the line that rank 0 prints."""


def together(comm: MPI.Intracomm, f: Callable[[], T]) -> T:
    """f() on every rank. The refusal of any rank is raised on all. Collective, but f must not communicate."""
    refused = None
    try:
        found = f()
    except Refusal as e:
        refused = str(e)
    except MemoryError:
        refused = "Not enough memory [--max]; accepted: what fits"
    said = [line for line in comm.allgather(refused) if line is not None]
    if said:
        raise Refusal(said[0])
    return found
