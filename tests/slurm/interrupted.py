# SPDX-License-Identifier: BSL-1.0
"""Jobs that do not end by themselves: what they had reported is kept, and each line of their files is whole."""
import contextlib
import os
import pathlib

from jobs import LONG, SMALL, WORK, Jobs


class Interrupted(Jobs):
    limited = failed = None

    class Reports:
        """A job that has reported something, and goes on for minutes."""

        def __init__(self, number, file):
            self.number, self.file = number, file
            Jobs.wait_for_records(file, 2)
            self.first = file.read_text()

    @classmethod
    def start(cls):
        """Jobs that run beside the cases of other classes, when processors are idle: Slurm sees after 30 s that a limit is exceeded."""
        limited, failed = cls.submitted("limited", cls.latency()), cls.submitted("failed", cls.latency(), "--partition=last", "--no-requeue")
        cls.failed = cls.Reports(*failed)
        cls.slurm.nodes["n3"].die()
        cls.limited = cls.Reports(*limited)
        # The smallest limit is a minute. That of a job that runs can be moved into the past.
        cls.slurm.command("scontrol", "update", f"jobid={cls.limited.number}", "timelimit=0")
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):  # it ended
                if (process / "comm").read_text() == "osu_latency\n":
                    os.sched_setscheduler(int(process.name), os.SCHED_IDLE, os.sched_param(0))

    @classmethod
    def submitted(cls, name, command, *options):
        """Number of a job in a folder of its own, and the file of its records."""
        folder = WORK / name
        folder.mkdir(parents=True)
        os.chdir(folder)
        return cls.batch(f"exec {command}", *options, OMPI_MCA_mpi_yield_when_idle="1"), folder / "records.jsonl"

    @classmethod
    def latency(cls):
        """Command of minutes."""
        return f"srun {cls.program('osu/osu_latency')} {' '.join(LONG)} --report json=records.jsonl"

    def assert_kept(self, reports, state, hosts=("n1", "n2")):
        self.assertEqual(self.ended(reports.number), state, (reports.file.parent / f"slurm-{reports.number}.out").read_text())
        self.assertTrue(reports.file.read_text().startswith(reports.first))
        self.assert_reports(reports.file, "srun", hosts=hosts)

    def test_records_before_the_time_limit_are_kept_and_whole(self):
        self.assert_kept(self.limited, "TIMEOUT")

    def test_when_a_node_dies_records_are_kept_and_whole(self):
        self.assert_kept(self.failed, "NODE_FAIL", hosts=("n1", "n3"))

    def test_records_of_a_cancelled_job_are_kept_and_whole(self):
        launches = f"{self.program('tools/sonde-launch')} -n 1000 --out records.jsonl -- srun {self.program('osu/osu_latency')} " + " ".join(SMALL)
        submitted = [self.submitted("cancelled", self.latency()), self.submitted("launches", launches)]
        jobs = [self.Reports(*job) for job in submitted]
        self.slurm.command("scancel", *(str(job.number) for job in jobs))
        for job in jobs:
            self.assert_kept(job, "CANCELLED")
