# SPDX-License-Identifier: BSL-1.0
"""The options and the title of each program, every syntax of an option, and the list of all programs."""
import os
import re
import subprocess
import tempfile
import unittest

from driver import PROGRAMS, at_once, counted, run
from programs import ALL, BUILT, BY_NAME, COLLECTIVE_PROGRAMS, LONG, start

QUICK = ("-i", "2", "-x", "0", "-W", "2")


class Programs(unittest.TestCase):
    def test_all_are_built_that_the_libraries_support(self):
        """Persistent collectives are not in every MPI library."""
        missing = {p.name for p in ALL if not p.exists}
        self.assertIn(missing, (set(), {p.name for p in COLLECTIVE_PROGRAMS if p.name.endswith("_persistent")}))
        for library in {p.library.prefix: p.library for p in BUILT if p.library.prefix != "osu_"}.values():
            built = {f for f in os.listdir(library.folder) if re.fullmatch(library.prefix + "[a-z_]+", f) and not f.endswith("stand_in")}
            self.assertEqual(built, {p.name for p in ALL if p.library.prefix == library.prefix})
        for other in ("osu_oshm_", "osu_xccl_", "osu_nccl_"):
            built = {f.removeprefix(other) for f in os.listdir(PROGRAMS) if re.fullmatch(other + "[a-z_]+", f)}
            self.assertEqual(built, {p.name.split("_", 2)[2] for p in ALL if p.library.prefix == other.replace("nccl", "xccl")})

    def test_there_are_the_collectives_of_omb_and_scans_with_omb_s_titles_options_and_counts(self):
        lines = subprocess.run([os.environ["OSU_LIST"]], capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
        expected = [f"{c.name}\t{c.title}\t{''.join(sorted(c.letters))}\t{' '.join(map(str, c.counts))}" for c in COLLECTIVE_PROGRAMS]
        self.assertEqual(sorted(lines), sorted(expected))

    def test_each_lists_its_options_its_words_and_ends_well(self):
        listed = [p for p in BUILT if p not in COLLECTIVE_PROGRAMS] + \
            [BY_NAME[name] for name in ("osu_reduce", "osu_ibarrier", "osu_ineighbor_alltoallw", "osu_gather_persistent") if BY_NAME[name].exists]
        for program, answer in at_once(lambda p: start(p, "-h", word=(), ranks=1), listed):
            with self.subTest(program.name):
                word = " <heap|global>" * bool(program.word)
                places = " [SRC DST]" * (not program.name.startswith(("osu_oshm", "osu_upc")))
                self.assertEqual((answer.codes, answer.lines[0]), ([0], f"Usage: {program.name}{word} [options]{places}"))
                self.assertEqual(dict(re.findall(r"^  -(\w), --(\S+) ", answer.out, re.M)), {letter: LONG[letter] for letter in program.letters})

    def test_the_version_is_the_title(self):
        for name, given, title in (("latency", "-v", "MPI Latency Test"), ("mbw_mr", "--version", "MPI Multiple Bandwidth / Message Rate Test"),
                                   ("iscatter", "-v", "MPI Non-blocking Scatter Latency Test"), ("bw_fan_in", "-v", "MPI Bandwidth Test"),
                                   ("oshm_reduce", "-v", "OpenSHMEM Reduce Latency Test"),
                                   ("xccl_bibw", "-d cuda -v", "NCCL-CUDA Bi-Directional Bandwidth Test")):
            program = BY_NAME.get("osu_" + name)
            if program in BUILT:
                answer = start(program, *given.split(), word=(), ranks=2)
                self.assertEqual((answer.out, answer.codes), (f"# OSU {title} v7.4\n", [0, 0]))


class Options(unittest.TestCase):
    def test_buffers_may_be_single_or_multiple(self):
        for given, buffers in (("single", 1), ("multiple", 3)):
            calls = counted("osu_bibw", *QUICK, "-W3", "-m8:8", f"--buffer-num={given}")
            self.assertEqual([c["sent_buffers"] for c in calls], [buffers] * 2, given)

    def test_an_indexed_type_has_all_its_blocks_and_needs_no_long_message(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("# displacement, length\n2, 10\n\n  20,5\n")
            file.flush()
            answer = run("osu_bw", *QUICK, "-m4", "-Tmpi_int", "--ddt=indx:" + file.name)
            self.assertEqual([row[-1] for row in answer.rows], ["60"], answer)
            self.assertEqual(run("osu_bw", *QUICK, "-m4", "-b", "multiple", "-Dindx:" + file.name).rows[0][-1], "15")
