# SPDX-License-Identifier: BSL-1.0
"""Callables that fail on the last rank."""

import os
import traceback

import sonde
from support import Counted, check, comm, last, message_of, refused


class Failing(Counted):
    """Calls `fail()` on the last rank, in one call."""

    def __init__(self, fail, at=5):
        super().__init__()
        self.fail, self.at = fail, at

    def __call__(self):
        super().__call__()
        if comm.rank == last and self.calls == self.at:
            return self.fail()


def divide():
    return 1 // 0


@check
def an_exception_of_one_rank_ends_the_run_on_all():
    text = "integer division or modulo by zero"
    for at in 1, 5, 60:  # in the warm-up, and in a sample
        for call in (lambda f: sonde.run(comm, f), lambda f: sonde.compare(comm, {"a": comm.Barrier, "b": f})):
            f = Failing(divide, at)
            if comm.rank == last:
                assert message_of(ZeroDivisionError, lambda: call(f)) == text
            else:
                assert message_of(RuntimeError, lambda: call(f)) == f"rank {last}: ZeroDivisionError: {text}"
    assert sonde.run(comm, comm.Barrier, samples=3).stop == ("samples", 3)


@check
def an_exception_of_any_class_is_a_runtime_error_of_the_other_ranks():
    class Mine(ValueError):
        def __str__(self):
            raise KeyError

    def fail(exception):
        raise exception

    for exception, text in (TypeError("bad"), "TypeError: bad"), (OSError(2, "gone"), "OSError"), (Mine(), "Mine"), (SystemExit(3), "SystemExit: 3"):
        try:
            sonde.run(comm, Failing(lambda: fail(exception)))
        except BaseException as e:
            kind = type(exception) if comm.rank == last else RuntimeError
            assert type(e) is kind and (comm.rank == last or str(e).startswith(f"rank {last}: ")), e
            assert comm.rank == last or text in str(e) or "FileNotFoundError" in str(e), e


@check
def the_exception_of_a_rank_has_its_traceback():
    try:
        sonde.run(comm, Failing(divide))
    except ZeroDivisionError as e:
        assert "divide" in "".join(traceback.format_exception(e))
    except RuntimeError:
        pass


@check
def an_interrupt_ends_the_run_on_all():
    def interrupt():
        raise KeyboardInterrupt

    kind, text = (KeyboardInterrupt, "") if comm.rank == last else (RuntimeError, f"rank {last}: KeyboardInterrupt")
    assert message_of(kind, lambda: sonde.run(comm, Failing(interrupt))) == text


@check
def a_callable_that_returns_a_value_is_refused_on_all_ranks():
    text = "sonde: the callable returned a value of type int; it must return None, so that its work is done when it returns"
    refused(TypeError, text, lambda: sonde.run(comm, Failing(lambda: 5)), by=last)
    refused(TypeError, text, lambda: sonde.run(comm, lambda: comm.Barrier() or 5))


@check
def a_callable_that_forks_is_refused_and_its_child_measures_nothing():
    text = "sonde: the callable forked; a process that MPI does not know must not be measured"
    pids = []

    def fork():
        pids.append(os.fork())  # the child returns from the callable, too

    kind, expected = (RuntimeError, text) if comm.rank == last else (RuntimeError, f"rank {last}: {text}")
    assert message_of(kind, lambda: sonde.run(comm, Failing(fork))) == expected
    for pid in pids:
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 1


@check
def a_run_within_a_callable_is_refused_on_all_ranks():
    text = "sonde::mpi: a measurement is called within the exchange that is measured, which would repeat it in each iteration"
    nested = lambda: sonde.run(comm, comm.Barrier, samples=2, warmup=0)
    assert message_of(RuntimeError, lambda: sonde.run(comm, nested, samples=2, warmup=1)) == text
    assert nested().stop == ("samples", 2)
