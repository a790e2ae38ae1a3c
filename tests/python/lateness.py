# SPDX-License-Identifier: BSL-1.0
"""Who made ranks wait: of two ranks, rank 1 works 9 ms in each step, and rank 0 3 ms."""

import json
import pathlib
import pickle
import sys
import time

import sonde
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
def wrong_partners_are_refused():
    probe = sonde.Probe()
    for wrong in (5, [1.5]):
        text = f"sonde.Probe.exchange: partners is {wrong}; it must be ranks, whole numbers of at least 0"
        refused(TypeError, text, lambda: probe.exchange("a", partners=wrong))
    text = "sonde.Probe.exchange: partners is [-1]; it must be ranks, whole numbers of at least 0"
    refused(ValueError, text, lambda: probe.exchange("a", partners=[-1]))
    with probe.exchange("halo", partners=[comm.size if comm.rank == 0 else 0]):
        pass
    refused(ValueError, "sonde::probe: the scope is of another kind: halo", probe.work("halo").__enter__)
    own = f"the exchange halo has the partner {comm.size}, and the group has {comm.size} ranks"
    text = own if comm.rank == 0 else "an exchange of rank 0 has a partner that is no rank of the group"
    refused(ValueError, f"sonde::collect_lateness: {text}", lambda: probe.collect_lateness(comm))
