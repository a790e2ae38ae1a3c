# SPDX-License-Identifier: BSL-1.0
"""A monitor: one file has the passes of all ranks, and a probe may outlive it."""

import pathlib
import sys

import sonde
from support import check, comm, refused


@check
def one_rank_writes_the_passes_of_all():
    path = pathlib.Path(sys.argv[1]) / f"{comm.size}_monitor.prom"
    probe = sonde.Probe()
    with sonde.Monitor(path, comm, interval=3600) as monitor:
        monitor.add(probe)
        for _ in range(5):
            with probe.work("work"):
                pass
        comm.barrier()
        assert comm.allreduce(monitor.write()) == 1
        comm.barrier()
        text = path.read_text()
        assert f'state="running"}} {comm.size}\n' in text, text
        assert f'scope="work"}} {5 * comm.size}\n' in text, text
        comm.barrier()
    refused(RuntimeError, "sonde.Monitor: it is closed", monitor.write)
    with probe.work("work"):
        pass
    del probe
    comm.barrier()
    assert not path.exists()


@check
def wrong_arguments_of_a_monitor_are_refused():
    refused(ValueError, "sonde.Monitor: interval is 0; it must be a number above 0", lambda: sonde.Monitor("a.prom", comm, interval=0))
    limits = "the interval must be at least 1 ms and at most 1e6 s, the change and the rate of false alarms above 0"
    refused(ValueError, f"sonde::monitor: {limits}", lambda: sonde.Monitor("a.prom", comm, interval=1e-4))
    refused(TypeError, "sonde.Monitor: comm is of type NoneType; it must be a communicator of mpi4py", lambda: sonde.Monitor("a.prom", None))
