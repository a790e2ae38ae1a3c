# SPDX-License-Identifier: BSL-1.0
"""The options and the title of each program, every syntax of an option, and the list of all programs."""
import os
import re
import subprocess
import tempfile
import unittest

from driver import PROGRAMS, counted, run
from programs import ALL, BUILT, COLLECTIVE_PROGRAMS, LONG

QUICK = ("-i", "2", "-x", "0", "-W", "2")


class Programs(unittest.TestCase):
    def test_all_are_built_that_the_libraries_support(self):
        """Persistent collectives are not in every MPI library."""
        missing = {p.name for p in ALL if not p.exists}
        self.assertIn(missing, (set(), {p.name for p in COLLECTIVE_PROGRAMS if p.name.endswith("_persistent")}))
        for library in {p.library.prefix: p.library for p in BUILT if p.library.prefix != "osu_"}.values():
            built = {f for f in os.listdir(library.folder) if re.fullmatch(library.prefix + "[a-z_]+", f) and not f.endswith("stand_in")}
            self.assertEqual(built, {p.name for p in ALL if p.library.prefix == library.prefix})
        for other in ("osu_oshm_", *(() if "OSU_ONECCL" in os.environ else ("osu_xccl_", "osu_nccl_"))): # of oneCCL: tests/oneccl
            built = {f.removeprefix(other) for f in os.listdir(PROGRAMS) if re.fullmatch(other + "[a-z_]+", f)}
            self.assertEqual(built, {p.name.split("_", 2)[2] for p in ALL if p.library.prefix == other.replace("nccl", "xccl")})

    def test_there_are_the_collectives_of_omb_and_scans_with_omb_s_titles_options_and_counts(self):
        lines = subprocess.run([os.environ["OSU_LIST"]], capture_output=True, text=True, check=True, timeout=400).stdout.splitlines()
        expected = [f"{c.name}\t{c.title}\t{''.join(sorted(c.letters))}\t{' '.join(map(str, c.counts))}" for c in COLLECTIVE_PROGRAMS]
        self.assertEqual(sorted(lines), sorted(expected))

    def test_each_lists_its_options_and_its_words_and_ends_well_without_a_launcher(self):
        for program in BUILT:
            with self.subTest(program.name):
                word = " <heap|global>" * bool(program.word)
                places = " [SRC DST]" * (not program.name.startswith(("osu_oshm", "osu_upc")))
                lines = self.printed(program, "-h").splitlines()
                self.assertEqual(lines[0], f"Usage: {program.name}{word} [options]{places}")
                listed = [found.groups() for found in (re.match(r"  -(\w), --(\S+) ", line) for line in lines) if found]
                self.assertEqual(dict(listed), {letter: LONG[letter] for letter in program.letters})

    def test_the_version_is_the_title(self):
        for program in BUILT:
            if program.title and "NCCL" not in program.title:
                self.assertEqual(self.printed(program, "--version" if program.ranks == 4 else "-v"), f"# {program.title} v7.4\n")
        for program in BUILT:
            if program.name == "osu_xccl_bibw": # which has no title above its table
                self.assertEqual(self.printed(program, "-d", "cuda", "-v"), "# OSU NCCL-CUDA Bi-Directional Bandwidth Test v7.4\n")

    def printed(self, program, *words):
        # Open MPI's programs without a launcher share a folder of temporary files, which one removes while another makes its own in it.
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([os.path.join(program.library.folder, program.name), *words], capture_output=True, text=True, timeout=400,
                                  env={**os.environ, "TMPDIR": folder})
        self.assertEqual((done.returncode, done.stderr), (0, ""), program.name)
        return done.stdout


class Options(unittest.TestCase):
    def test_a_witness_says_below_the_rows_which_device_carried_the_messages(self):
        for name, ranks in (("osu_latency", 2), ("osu_allreduce", 3), ("osu_put_latency", 2)):
            answer = run(name, "-i2", "-x0", "-m", "8:8", "--witness", ranks=ranks)
            self.assertEqual(set(answer.codes), {0}, answer)
            self.assertRegex(answer.out, r"\n8 .*\n# Carried: ", name)
        answer = run("osu_latency", "-i2", "-x0", "-m", "8:8", "--expect-device", "none0")
        self.assertEqual(set(answer.codes), {1}, answer)
        self.assertRegex(answer.out, r"\n8 .*\n# Carried: .*\nUNEXPECTED DEVICE: .*none0 ")

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
