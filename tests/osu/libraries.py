# SPDX-License-Identifier: BSL-1.0
"""Programs of each kind with right contents, with any library of MPI, in few sizes."""
import unittest

from driver import at_once
from programs import BY_NAME, start

# A program, its ranks, further arguments, and its number of rows.
KINDS = [
    ("osu_latency", 2, "-m 8:65536 -T all", 14 * 3), ("osu_bibw", 2, "-m 8192:65536 -W 4", 4), ("osu_latency_mt", 2, "-m 4:8 -t 2:2", 2),
    ("osu_allreduce", 3, "-m 8:16384", 12), ("osu_igatherv", 3, "-m 8:64 -k rotate", 4), ("osu_alltoall_persistent", 2, "-m 8:64", 4),
    ("osu_neighbor_allgatherv", 3, "-m 8:64", 4), ("osu_put_latency", 2, "-m 8:64", 4), ("osu_get_bw", 2, "-m 8:64 -W 4 -s fence", 4),
    ("osu_cas_latency", 2, "", 1)]


class Libraries(unittest.TestCase):
    def test_programs_of_each_kind_deliver_their_data(self):
        def run(case):
            name, ranks, given, _ = case
            return start(BY_NAME[name], "-c", "-i4", "-x1", *given.split(), ranks=ranks)

        for (name, ranks, _, rows), answer in at_once(run, KINDS):
            with self.subTest(name):
                self.assertEqual((answer.codes, [row[-1] for row in answer.rows]), ([0] * ranks, [BY_NAME[name].good] * rows), answer)
