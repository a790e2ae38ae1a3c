# SPDX-License-Identifier: BSL-1.0
"""What the checks share: `check` registers one; all ranks run all."""

import re

from mpi4py import MPI

import sonde

comm = MPI.COMM_WORLD
last = comm.size - 1
checks = []


def check(f):
    checks.append(f)
    return f


def message_of(kind, f):
    """The message of the exception that f raises, which is of this kind on this rank."""
    try:
        f()
    except kind as e:
        assert type(e) is kind or issubclass(kind, OSError), f"{type(e)} is a {kind}"
        return str(e)
    raise AssertionError(f"no {kind.__name__} was raised")


def refused(kind, text, f, by=None):
    """f raises an exception of this kind with this text on all ranks, which on ranks other than `by` names that rank.

    The place of a pattern, "(native.py:12)", is not compared.
    """
    expected = text if by is None or comm.rank == by else f"rank {by}: {text}"
    found = re.sub(r" \(\w+\.py:\d+\)", "", message_of(kind, f))
    assert found == expected, f"{found!r} is not {expected!r}"


def on_last(value, other):
    return value if comm.rank == last else other


class Counted:
    """A callable that counts its calls, and lets all ranks wait for each other."""

    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        comm.Barrier()


def iterations(samples, **plan):
    """Calls of a run of this number of samples, and its record."""
    f = Counted()
    return f, sonde.run(comm, f, samples=samples, **plan)
