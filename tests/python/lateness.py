# SPDX-License-Identifier: BSL-1.0
"""Who made ranks wait: of two ranks, rank 1 works 9 ms in each step, and rank 0 3 ms."""

import json
import pathlib
import pickle
import sys
import time

import sonde
from mpi4py import MPI
from support import check, comm, last, refused

STEPS = 60


def sleep_until(moment):
    time.sleep(max(0, moment - time.monotonic()))


def after_loop():
    """Steps of 15 ms, whose exchange ends after 12 ms on both ranks of the host.

    None polls, so that other programs leave it its core when it wakes up.
    """
    probe = sonde.Probe()
    solve, halo = probe.work("solve"), probe.exchange("halo", bytes=8, partners=range(comm.size))
    begin = comm.bcast(time.monotonic() + 0.015)
    for start in (begin + 0.015 * step for step in range(STEPS)):
        sleep_until(start)
        with solve:
            sleep_until(start + (0.009 if comm.rank == last else 0.003))
        with halo:
            sleep_until(start + 0.012)
    return probe


@check
def a_late_rank_is_named_with_its_exchange_and_its_work():
    if comm.size != 2:  # more have no cores of their own
        return
    probe = after_loop()
    found = probe.collect_lateness(comm)
    assert found.steps == STEPS and found.enough_steps and found.observed > 0 and found.clock_error >= 0
    assert 0.01 < found.waiting < 1 and 0 <= found.transfer < 1 - found.waiting
    assert found.interval is None or found.interval[0] <= found.waiting <= found.interval[1]
    (late,) = (one for one in found.late if one.rank == last)  # beside a rank that another program has disturbed
    assert (late.exchange, late.work, late.of_other_steps) == ("halo", "solve", False), late
    assert late.share > 0.3 and late.caused > 0 and late.lateness > 3e-3 and late.ratio > 1.5
    assert STEPS / 4 < len(late.steps) <= late.of_steps <= STEPS
    (halo,) = found.exchanges
    assert (halo.name, halo.passes, halo.unexamined) == ("halo", STEPS, 0) and halo.waiting > 0 <= halo.transfer
    assert len(found.ranks) == comm.size and found.ranks[0].waiting > 0 and found.ranks[last].caused_by_work > 0
    first, *others = found.sentences
    assert first.startswith("Ranks waited ") and any(other.startswith(f"Rank {last} caused ") for other in others)
    assert repr(found).startswith(f"{first} {others[0]}") and f"<p>{first}</p>" in found._repr_html_()
    assert first in str(found) and "waiting" in str(found)
    assert comm.allgather(found.to_json()) == [found.to_json()] * comm.size
    again = pickle.loads(pickle.dumps(found))
    assert again.to_json() == found.to_json() == sonde.Lateness.from_json(found.to_json()).to_json()
    assert [scope.kind for scope in probe.collect(comm)] == ["work", "exchange"]


@check
def lateness_is_reported():
    found = sonde.Probe().collect_lateness(comm)
    path = pathlib.Path(sys.argv[1]) / f"{comm.size}_lateness.jsonl"
    with sonde.Reporter(path, comm) as report:
        report(found)
    comm.Barrier()
    line = path.read_text().splitlines()[1]
    assert json.loads(line)["type"] == "lateness" and sonde.Lateness.from_json(line).sentences == found.sentences


@check
def passes_are_kept_and_effects_and_unequal_passes_are_values():
    probe = sonde.Probe(kept_passes=128)
    solve, halo = probe.work("solve"), probe.exchange("halo")
    for _ in range(101 if comm.rank == 0 else 100):
        with solve:
            pass
        with halo:
            pass
    found = probe.collect_lateness(comm, effect=0.1, false_alarms=0.02)
    (exchange,) = found.exchanges
    assert (exchange.passes + exchange.unexamined, exchange.unexamined) == (101 if comm.size == 1 else 100, 37)
    assert exchange.unequal == (None if comm.size == 1 else sonde.UnequalPasses(100, 1, 101, 0))
    line = json.loads(found.to_json())
    line["effects"] = [{"scope": "solve", "kind": "period", "steps": [40, 45, 50, 55, 60], "period": 5, "of_steps": 63, "typical_seconds": 0.5, "excess_seconds": 2.0, "p": 1e-9}]
    again = sonde.Lateness.from_json(json.dumps(line))
    assert again.effects == [sonde.ScopeEffect("solve", "period", [40, 45, 50, 55, 60], 63, 5, 0.5, 2.0, 1e-9)]
    assert "`solve` on most ranks: every 5th step (40, 45, " in str(again)


@check
def wrong_options_are_refused():
    refused(ValueError, "sonde.Probe: kept_passes is 0; it must be a whole number of at least 1", lambda: sonde.Probe(kept_passes=0))
    text = "sonde::find_lateness: the effect must be at least 0 and below 1: 0.02 is 2 %"
    refused(ValueError, text, lambda: sonde.Probe().collect_lateness(comm, effect=1))
    text = "sonde.Probe.collect_lateness: false_alarms is 'few'; it must be a share, 0.01 for 1 %"
    refused(TypeError, text, lambda: sonde.Probe().collect_lateness(comm, false_alarms="few"))


@check
def wrong_partners_are_refused():
    probe = sonde.Probe()
    for wrong in (5, [1.5]):
        text = f"sonde.Probe.exchange: partners is {wrong}; it must be ranks, whole numbers of at least 0, or MPI.PROC_NULL"
        refused(TypeError, text, lambda: probe.exchange("a", partners=wrong))
    text = "sonde.Probe.exchange: partners is [-9]; it must be ranks, whole numbers of at least 0, or MPI.PROC_NULL"
    refused(ValueError, text, lambda: probe.exchange("a", partners=[-9]))
    with probe.exchange("edge", partners=[MPI.PROC_NULL]):
        pass
    with probe.exchange("halo", partners=[comm.size if comm.rank == 0 else 0]):
        pass
    refused(ValueError, "sonde::probe: the scope is of another kind: halo", probe.work("halo").__enter__)
    own = f"the exchange halo has the partner {comm.size}, and the group has {comm.size} ranks"
    text = own if comm.rank == 0 else "an exchange of rank 0 has a partner that is no rank of the group"
    refused(ValueError, f"sonde::collect_lateness: {text}", lambda: probe.collect_lateness(comm))
