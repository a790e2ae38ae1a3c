# SPDX-License-Identifier: BSL-1.0
"""Runs a program on several ranks, and keeps the exit status of each."""
import dataclasses
import os
import subprocess
import tempfile


@dataclasses.dataclass
class Answer:
    out: str
    err: str
    codes: list     # exit status of every rank

    @property
    def lines(self):
        return self.out.split("\n")[:-1]

    @property
    def rows(self):
        """The words of each line that begins with a digit, of which there is one at least."""
        found = [line.split() for line in self.lines if line[:1].isdigit()]
        assert found, f"no rows: {self}"
        return found


def read(path):
    with open(path) as file:
        return file.read()


def crashed_in_unloaded_code(answer):
    """Open MPI 4.1.4 rarely delivers an event of PMIx to a component that MPI_Finalize has unloaded: the signal of such a process has no stack."""
    return 139 in answer.codes and "Signal: Segmentation fault" in answer.err and "[ 0]" not in answer.err


def launch(*command, **how):
    """The program's result, from a second start if Open MPI crashed at the end of the first one."""
    answer = launch_once(*command, **how)
    return launch_once(*command, **how) if crashed_in_unloaded_code(answer) else answer


def launch_once(launcher, program, *arguments, ranks=2, environment=None, folder=None, seconds=400):
    """The program's result; a shell around each rank keeps its exit status, and itself ends with 0."""
    with tempfile.TemporaryDirectory() as scratch:
        keep = 'codes=$1; shift; "$@"; echo $? >> "$codes/$$"'
        environment = dict(environment or {})
        if "LD_PRELOAD" in environment and "LD_PRELOAD" in os.environ:
            environment["LD_PRELOAD"] += ":" + os.environ["LD_PRELOAD"]
        settings = [f"{key}={value}" for key, value in environment.items()]
        command = [launcher, "-t", str(seconds), "-n", str(ranks), "sh", "-c", keep, "sh", scratch, "env", *settings,
                   program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=seconds + 20)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(arguments)}: the launcher ended with {done.returncode}\n{done.stdout}\n{done.stderr}")
        return Answer(done.stdout, done.stderr, [int(read(os.path.join(scratch, f))) for f in os.listdir(scratch)])
