# SPDX-License-Identifier: BSL-1.0
"""Measure the communication of an application where it runs.

    from mpi4py import MPI
    import sonde

    record = sonde.run(MPI.COMM_WORLD, exchange, until=0.01, budget=1.0, name="halo", bytes=n)

The loop and the statistics are those of the C++ library Sonde; docs/python.md describes the package.
"""

from sonde import patterns
from sonde._comparison import Comparison
from sonde._lateness import ExchangeLateness, Lateness, LateRank, RankLateness, ScopeEffect, SlowTransfer, UnequalPasses
from sonde._measure import Interactive, compare, fastest, interactive, run
from sonde._monitor import Monitor
from sonde._probe import Probe, ScopeRecord, Scopes
from sonde._read import Results, read
from sonde._record import Record
from sonde._report import Reporter
from sonde._sonde import __version__

__all__ = [
    "Comparison",
    "ExchangeLateness",
    "Interactive",
    "LateRank",
    "Lateness",
    "Monitor",
    "Probe",
    "RankLateness",
    "Record",
    "Reporter",
    "Results",
    "ScopeEffect",
    "ScopeRecord",
    "Scopes",
    "SlowTransfer",
    "UnequalPasses",
    "__version__",
    "compare",
    "fastest",
    "interactive",
    "patterns",
    "read",
    "run",
]
