# SPDX-License-Identifier: BSL-1.0
"""Runs the tools on a program that reports at once."""
import dataclasses
import json
import os
import subprocess
import tempfile
import unittest

TOOLS = os.environ["TOOLS"]
FAKE = os.environ["TOOLS_FAKE"]


@dataclasses.dataclass
class Answer:
    code: int
    out: str
    err: str

    @property
    def said(self):
        return self.err.splitlines()


def tool(name, *arguments, folder):
    done = subprocess.run([f"{TOOLS}/{name}", *arguments], capture_output=True, text=True, cwd=folder, timeout=400)
    return Answer(done.returncode, done.stdout, done.stderr)


def read(path):
    with open(path) as file:
        return file.read()


def record(name, nanoseconds, rounds=40, **parameters):
    return {"type": "record", "name": name, "parameters": parameters,
            "total": {"bytes": 8.0, "messages": 1.0, "hops": 1.0, "bus_factor": 1.0}, "ranks": 2, "initiators": 2, "batch": 1,
            "over_ranks_seconds": {"min": 1e-6, "mean": 1e-6, "max": 1e-6}, "first_seconds": 1e-6,
            "clock_seconds": {"cost": 0.0, "resolution": 1e-9, "bias": 0.0}, "stop": {"reason": "samples", "samples": rounds},
            "flags": {"timer_limited": False, "skew_dominated": False, "clock_drift": False}, "errors": None,
            "slowest_counts": [], "series_seconds": [nanoseconds * 1e-9] * rounds}


class InFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def written(self, name, text):
        """The name of a file with this text."""
        with open(f"{self.folder}/{name}", "w") as file:
            file.write(text)
        return name

    def fake(self, **words):
        """The command of the program."""
        return [FAKE, *(f"{key}={value}" for key, value in words.items())]

    def launch(self, *arguments):
        return tool("sonde-launch", *arguments, folder=self.folder)

    def compare(self, *arguments):
        return tool("sonde-compare", *arguments, folder=self.folder)

    def made(self, name, launches=6, **words):
        """A file of launches of the program with these words."""
        done = self.launch("-n", str(launches), "--out", name, "--", *self.fake(**words))
        self.assertEqual(done.code, 0, done)
        return name

    def lines(self, name):
        return [json.loads(line) for line in self.text(name).splitlines()]

    def text(self, name):
        return read(f"{self.folder}/{name}")

    def assert_one_line(self, answer, code, text):
        self.assertEqual((answer.code, answer.out, len(answer.said)), (code, "", 1), answer)
        self.assertIn(text, answer.err)
