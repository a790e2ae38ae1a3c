#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The tools with a program that measures."""
import os
import subprocess
import unittest

from driver import InFolder


class Measuring(InFolder):
    def test_launches_of_an_osu_program_are_collected_and_compared(self):
        command = [os.environ["TOOLS_MPI_RUN"], "-n", "2", os.environ["TOOLS_OSU_LATENCY"], "-m", "1:8", "-i", "50", "-x", "5"]
        done = self.launch("-n", "3", "--timeout", "100", "--out", "a", "--", *command)
        self.assertEqual(done.code, 0, done)
        self.assertEqual([l["parameters"]["bytes"] for l in self.lines("a") if l["type"] == "record"], [1, 2, 4, 8] * 3)
        compared = self.compare("a", "a")
        self.assertEqual(compared.code, 0, compared)
        self.assertIn("# osu_latency", compared.out)
        self.assertIn("4 rows: 0 slower, 0 faster, 4 undecided", compared.out)

    def assert_text_and_records_agree(self, name, *command):
        """The text and the JSON of one run have the same rows, with the same times but for the rounding of the text."""
        with open(f"{self.folder}/{name}.txt", "w") as text:
            subprocess.run([os.environ["TOOLS_MPI_RUN"], *command], stdout=text, cwd=self.folder, check=True, timeout=100)
        done = self.compare(f"{name}.txt", f"{name}.json")
        rows = [line.split() for line in done.out.splitlines() if line[:1].isdigit()][:4]
        self.assertEqual((done.code, "only in" in done.out), (0, False), done)
        self.assertIn("4 rows: 0 slower, 0 faster, 4 undecided", done.out)
        self.assertEqual(len(rows), 4, done)
        for row in rows:
            self.assertLess(abs(float(row[-3]) - 1), 0.05, done)

    def test_text_and_records_of_a_run_have_the_same_rows(self):
        folder = os.path.dirname(os.environ["TOOLS_OSU_LATENCY"])
        for name, ranks in (("osu_latency", 2), ("osu_bw", 2), ("osu_bibw", 2), ("osu_mbw_mr", 4)):
            with self.subTest(name):
                self.assert_text_and_records_agree(name, "-n", str(ranks), f"{folder}/{name}", "-m", "512:4096", "-i", "20", "-x", "2",
                                                   "--report", f"json={name}.json")

    @unittest.skipUnless("TOOLS_IMB_MPI1" in os.environ, "the Intel MPI Benchmarks are not built")
    def test_text_and_records_of_imb_have_the_same_rows(self):
        for name in ("PingPong", "Uniband", "Biband"):
            with self.subTest(name):
                self.written("sizes", "512\n1024\n2048\n4096\n")
                self.assert_text_and_records_agree(name, "-n", "2", os.environ["TOOLS_IMB_MPI1"], "-iter", "20", "-msglen", "sizes", name,
                                                   "-report", f"json={name}.json")


if __name__ == "__main__":
    unittest.main(verbosity=2)
