#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Files of docs/operators/, batch scripts among them: syntax, programs, options, and what they make of results."""
import functools
import importlib.util
import os
import pathlib
import py_compile
import re
import stat
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

ROOT = pathlib.Path(os.environ["OPERATORS_ROOT"])
EXAMPLES = pathlib.Path(os.environ["OPERATORS_EXAMPLES"])
FILES = ROOT / "docs/operators"
LAUNCHERS = ("srun", "mpiexec", "mpirun", "flux", "jsrun")
OURS = re.compile(r"(?:^|/)((?:osu_|IMB-|sonde-)[\w-]+)$")


def batch_scripts():
    return {name: (FILES / f"{name}.sh").read_text() for name in ("slurm", "pbs", "flux", "lsf")}


@functools.lru_cache(maxsize=None)
def help_of(program):
    path = next(EXAMPLES.glob(f"*/{program}"), None)
    if path is None:
        raise AssertionError(f"there is no {program}")
    done = subprocess.run([path, "--help"], capture_output=True, text=True, timeout=400)
    if done.returncode != 0:
        raise AssertionError(f"{program} --help: {done}")
    return done.stdout


def unknown_options(words):
    """The options of one of our programs that its help does not have; of a command of sonde-launch, the program's, too."""
    at = next(i for i, word in enumerate(words) if OURS.search(word))
    program = OURS.search(words[at])[1]
    own = words[at + 1:]
    more = []
    if program == "sonde-launch":
        split = own.index("--")
        more, own = unknown_options(own[split + 1:]), own[:split]
    found = [word for word in own if re.match(r"--?[A-Za-z]", word)]
    known = re.findall(r"--?[A-Za-z][\w-]*", help_of(program))
    return [f"{program} {word}" for word in found if word.split("=")[0] not in known] + more


class InFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def script(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/bash\n" + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run_script(self, path, **environment):
        return subprocess.run(["bash", path], capture_output=True, text=True, timeout=400, cwd=self.folder, stdin=subprocess.DEVNULL,
                              env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "HOME": str(self.folder), **environment})

    def logged(self):
        """Words of each command that a fake logged."""
        log = self.folder / "log"
        return [line.split("\t") for line in log.read_text().splitlines()] if log.exists() else []


class Batch(InFolder):
    LOG = 'log() { local IFS=$\'\\t\'; echo "$*" >> "$HOME/log"; }; log "${0##*/}" "$@"\n'

    def commands(self, path, **environment):
        for name in LAUNCHERS:
            self.script(f"bin/{name}", self.LOG)
        for name in ("sonde-launch", "sonde-compare"):
            for folder in ("bin", "sonde/build/examples/tools"):
                self.script(f"{folder}/{name}", self.LOG)
        done = self.run_script(path, **environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return self.logged()

    def check_commands(self, commands):
        for words in commands:
            with self.subTest(" ".join(words)):
                if any(OURS.search(word) for word in words):
                    self.assertEqual(unknown_options(words), [])

    def test_every_resource_manager_has_a_script_whose_programs_and_options_exist(self):
        scripts = batch_scripts()
        self.assertEqual(list(scripts), ["slurm", "pbs", "flux", "lsf"])
        for name, text in scripts.items():
            (self.folder / "job.sh").write_text(text)
            (self.folder / "nodes").write_text("n1\nn1\nn2\nn2\n")
            (self.folder / "log").unlink(missing_ok=True)
            commands = self.commands("job.sh", SLURM_JOB_NUM_NODES="2", PBS_O_WORKDIR=str(self.folder), PBS_NODEFILE="nodes")
            self.check_commands(commands)
            programs = [OURS.search(word)[1] for words in commands for word in words if OURS.search(word)]
            self.assertEqual(programs, ["osu_latency", "osu_allreduce", "sonde-map", "sonde-launch", "osu_allreduce"], name)
            self.assertEqual(commands[-1][-1], "./solver")

    def test_the_nightly_job_compares_with_the_good_night_and_fails_for_what_is_named(self):
        night = FILES / "nightly.sh"
        good = self.folder / "sonde-results/good"
        good.mkdir(parents=True)
        (good / "allreduce.jsonl").write_text("")
        environment = {"SONDE_METRICS": str(self.folder)}
        self.check_commands(self.commands(night, **environment))
        self.assertIn("sonde-compare", [words[0] for words in self.logged()])
        for name, status in (("srun", 1), ("sonde-compare", 1)):
            with self.subTest(name):
                self.script("bin/srun", "exit 0\n")
                self.script(f"bin/{name}", f"exit {status}\n")
                self.assertEqual(self.run_script(night, **environment).returncode, 1)

    def test_options_that_a_program_does_not_have_are_seen(self):
        self.assertEqual(unknown_options(["srun", "-x", "sonde-map", "--speed", "9"]), ["sonde-map --speed"])
        self.assertEqual(unknown_options(["sonde-launch", "--out", "a", "--", "srun", "-n", "2", "osu_latency", "--loud"]), ["osu_latency --loud"])
        with self.assertRaises(AssertionError):
            unknown_options(["osu_none"])


class Prolog(InFolder):
    def ended(self, line, status):
        self.script("bin/runuser", 'shift 3; exec "$@"\n')  # runuser -u USER --
        self.script("bin/timeout", 'shift; exec "$@"\n')
        self.script("bin/logger", 'echo "$*" > "$HOME/logged"\n')
        self.script("bin/mpirun", Batch.LOG + f'[ -z "{line}" ] || echo "{line}"\nexit {status}\n')
        (self.folder / "logged").unlink(missing_ok=True)
        done = self.run_script(FILES / "prolog.sh", SLURM_JOB_ID="7")
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        logged = self.folder / "logged"
        return done.returncode, logged.read_text() if logged.exists() else ""

    def test_only_a_pair_that_is_worse_than_expected_drains_the_node(self):
        for line, status, ended in (("OK - 4 ranks", 0, 0), ("WARNING - a suspect", 1, 0), ("CRITICAL - a pair", 2, 1), ("UNKNOWN - no", 3, 0),
                                    ("", 2, 0), ("", 124, 0), ("", 127, 0)):
            with self.subTest(f"{line} {status}"):
                code, logged = self.ended(line, status)
                self.assertEqual(code, ended)
                self.assertEqual(logged, "" if status == 0 else f"-t sonde -- job 7: {line or f'no result, status {status}'}\n")
        self.assertEqual(unknown_options(self.logged()[0]), [])


class StubMeta(type):
    """The names that ReFrame defines in the bodies of its test classes, without `variable`, which refuses those that a test has."""
    @classmethod
    def __prepare__(cls, name, bases, **_):
        return {"sanity_function": lambda f: f, "performance_function": lambda unit: lambda f: f}


def reframe_tests():
    """The test classes of sonde_reframe.py, with a stub in the place of ReFrame whose functions take a text for a file."""
    tests = []
    reframe, utility, sanity = (types.ModuleType(name) for name in ("reframe", "reframe.utility", "reframe.utility.sanity"))
    reframe.RunOnlyRegressionTest = StubMeta("RunOnlyRegressionTest", (), {})
    reframe.simple_test = lambda test: tests.append(test) or test
    sanity.assert_found = lambda expression, text: re.search(expression, text, re.MULTILINE) is not None
    sanity.extractsingle = lambda expression, text, group, kind: kind(re.search(expression, text, re.MULTILINE)[group])
    reframe.utility, utility.sanity = utility, sanity
    modules = {"reframe": reframe, "reframe.utility": utility, "reframe.utility.sanity": sanity}
    with unittest.mock.patch.dict(sys.modules, modules):
        spec = importlib.util.spec_from_file_location("sonde_reframe", FILES / "sonde_reframe.py")
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    return {test.__name__: test for test in tests}


class Reframe(InFolder):
    def test_the_file_is_python_and_its_programs_and_options_exist(self):
        py_compile.compile(str(FILES / "sonde_reframe.py"), cfile=str(self.folder / "compiled"), doraise=True)
        tests = reframe_tests()
        self.assertEqual(list(tests), ["sonde_latency", "sonde_map"])
        for test in tests.values():
            self.assertEqual(unknown_options([test.executable, *test.executable_opts]), [])
            self.assertTrue(set(test.reference["*"]) <= set(dir(test)), "a reference is called like its function")

    def measured(self, name, *options, ranks):
        """The test with the output of its program."""
        test = reframe_tests()[name]()
        program = next(EXAMPLES.glob(f"*/{test.executable}"))
        command = [os.environ["TOOLS_MPI_RUN"], "-t", "60", "-n", str(ranks), program, *test.executable_opts, *options]
        test.stdout = subprocess.run(command, capture_output=True, text=True, timeout=100, cwd=self.folder).stdout
        return test

    def test_output_of_the_programs_is_read(self):
        latency = self.measured("sonde_latency", "--budget", "0.1", ranks=2)
        self.assertTrue(latency.contents_are_right(), latency.stdout)
        self.assertGreater(latency.latency(), 0)
        pairs = self.measured("sonde_map", "--per", "rank", "--samples", "6", ranks=3)
        self.assertGreater(pairs.worst_latency(), 0)
        self.assertGreater(pairs.worst_bandwidth(), 0)
        pairs.stdout = "WARNING - 3 ranks, c1 is slow |\n"
        self.assertFalse(pairs.nothing_is_named())
        pairs.stdout = "OK - 3 ranks |\n"
        self.assertTrue(pairs.nothing_is_named())


if __name__ == "__main__":
    unittest.main(verbosity=2)
