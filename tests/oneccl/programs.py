# SPDX-License-Identifier: BSL-1.0
"""The programs osu_xccl_* with the real oneCCL: titles, contents, options."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from launching import launch  # noqa: E402

FEW = ("-c", "-u0", "-i3", "-x1")
COLLECTIVES = {"allgather": "Allgather", "allreduce": "Allreduce", "alltoall": "All-to-All Personalized Exchange", "bcast": "Broadcast",
               "reduce": "Reduce", "reduce_scatter": "Reduce_scatter"}


def start(name, *arguments, ranks=2):
    return launch(os.environ["OSU_MPI_RUN"], os.path.join(os.environ["OSU_PROGRAMS"], "osu_xccl_" + name), *arguments, ranks=ranks)


class Programs(unittest.TestCase):
    def check_rows(self, answer, sizes, ranks):
        self.assertEqual(set(answer.codes), {0}, answer)
        self.assertEqual(answer.out.count("#Using oneCCL\n"), ranks, answer)
        rows = [row for row in answer.rows if "|CCL_WARN|" not in row]
        self.assertEqual([(row[0], row[-1]) for row in rows], [(size, "Pass") for size in sizes], answer)

    def test_contents_of_collectives_are_right(self):
        for ranks, (name, title) in zip((2, 3, 4, 2, 3, 4), COLLECTIVES.items()):
            with self.subTest(name):
                answer = start(name, *FEW, "-m", "4096:16384", ranks=ranks)
                self.assertIn(f"# OSU oneCCL {title} Latency Test v", answer.out)
                self.check_rows(answer, ("4096", "8192", "16384"), ranks)

    def test_contents_of_messages_are_right(self):
        for name, sizes in (("latency", ("0", "1", "2")), ("bw", ("1", "2")), ("bibw", ("1", "2"))):
            with self.subTest(name):
                self.check_rows(start(name, *FEW, "-m", "0:2" if name == "latency" else "1:2"), sizes, 2)

    def test_devices_are_refused(self):
        for words, text in (("-d cuda", "Invalid option [-d]; accepted: "), ("D D", "Invalid word [D]; accepted: options, see -h")):
            answer = start("latency", *words.split())
            self.assertIn(text, answer.err)
            self.assertNotIn(0, answer.codes)


if __name__ == "__main__":
    unittest.main()
