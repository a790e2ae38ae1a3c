# SPDX-License-Identifier: BSL-1.0
"""What cases of programs on the nodes of a Slurm have in common."""
import json
import os
import pathlib
import re
import unittest

import nodes
from cluster import Slurm, wait_for

WORK = pathlib.Path(nodes.SHARED) / "work"
SMALL = ("-m", "8:16", "-i", "20", "-x", "2")
LONG = ("-m", "8:67108864", "-i", "300", "-x", "2", "-T", "all")  # minutes, the first rows at once


def lines_of(path):
    """Objects of the lines of a file, all of which must be whole."""
    text = pathlib.Path(path).read_text()
    if text and not text.endswith("\n"):
        raise AssertionError(f"{path}: the last line is not whole: {text[-80:]}")
    return [json.loads(line) for line in text.splitlines()]


def records_of(path):
    return [line for line in lines_of(path) if line["type"] == "record"]


class Jobs(unittest.TestCase):
    """A folder of its own for each case, which is the working folder."""
    programs = root = slurm = ssh = None
    wheels = ""

    def setUp(self):
        self.folder = WORK / self.id().rpartition(".")[2]
        self.folder.mkdir(parents=True)
        os.chdir(self.folder)

    @classmethod
    def program(cls, name):
        return f"{cls.programs}/{name}"

    def srun(self, *words, status=0, **environment):
        """Output of a step of two tasks, one on each node."""
        return self.slurm.command("srun", "--nodes=2", "--ntasks=2", *words, status=status, seconds=90, env=os.environ | environment)

    def assert_reports(self, path, launcher, library="", manager="Slurm", hosts=("n1", "n2")):
        """The file has whole records of two nodes, and the launcher, the library and the resource manager."""
        environment = next(line for line in lines_of(path) if line["type"] == "environment")
        self.assertEqual((environment["hosts"], environment["host_of_rank"]), ([*hosts], [0, 1]))
        job = environment["job"]
        self.assertEqual((job["launcher"], job.get("resource_manager")), (launcher, manager))
        if manager:
            self.assertRegex(job["id"], r"^\d+$")
        self.assertIn(library, environment["communication_library"])
        self.assertGreaterEqual(len(records_of(path)), 1)
        return environment

    @classmethod
    def batch(cls, text, *options, **environment):
        """Number of a job of two nodes that has been submitted. Options take precedence over those of the script."""
        path = pathlib.Path("job.sh")
        path.write_text(text if text.startswith("#!") else f"#!/bin/bash\n{text}\n")
        out = cls.slurm.command("sbatch", "--parsable", "--nodes=2", "--ntasks-per-node=1", *options, str(path), env=os.environ | environment)
        return int(out)

    def ended(self, job, seconds=90):
        """State of a job after its end."""
        wait_for(lambda: self.slurm.state_of(job) not in ("PENDING", "CONFIGURING", "RUNNING", "COMPLETING"), seconds, f"end of job {job}")
        return self.slurm.state_of(job)

    def output(self, job):
        path = self.folder / f"slurm-{job}.out"
        return path.read_text() if path.exists() else ""

    @staticmethod
    def wait_for_records(path, number):
        def arrived():
            return os.path.exists(path) and len(re.findall(r'^\{"type":"record"', pathlib.Path(path).read_text(), re.MULTILINE)) >= number

        wait_for(arrived, 60, f"{number} records in {path}")
