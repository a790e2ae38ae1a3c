# SPDX-License-Identifier: BSL-1.0
"""Programs of each kind with right contents, with any library of MPI, in few sizes; and a rank that dies, with Open MPI 5."""
import json
import os
import signal
import subprocess
import tempfile
import unittest

from driver import LAUNCHER, PROGRAMS, at_once, read, wait_for
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

    @unittest.skipUnless(os.path.exists(os.environ.get("SONDE_TEST_MPI", "") + "/bin/prterun"), "a job that survives a rank needs Open MPI 5")
    def test_a_rank_that_dies_is_named_and_the_rows_before_are_whole(self):
        for dead, (status, out, err, report) in at_once(dies, [1, 0]):
            with self.subTest(dead):
                self.assertNotIn(status, (0, 124), err)
                self.assertRegex(err, rf"(?m)^sonde: rank [012]: rank {dead} has died: MPI_\w+: .*$")
                reported = [json.loads(line)["parameters"]["bytes"] for line in report.splitlines()[1:]]
                printed = [int(row.split()[0]) for row in out.splitlines() if row[:1].isdigit()]
                both = min(len(reported), len(printed)) # rank 0 may have died between the two
                self.assertGreaterEqual(both, 1)
                self.assertLessEqual(len(reported + printed), 2 * both + 1)
                self.assertEqual(reported[:both], printed[:both])


def dies(rank):
    """The status, both outputs and the report of a program on three ranks, one of which is killed after the second record."""
    with tempfile.TemporaryDirectory() as folder:
        keep = f'echo $$ > {folder}/$OMPI_COMM_WORLD_RANK; exec "$@"'
        job = subprocess.Popen(
            [LAUNCHER, "-t", "20", "--with-ft", "ulfm", "-n", "3", "sh", "-c", keep, "sh", os.path.join(PROGRAMS, "osu_allreduce"), "-m", "65536:4194304",
             "-i", "1000000", "--budget", "0.2", "--report", f"json={folder}/report"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        report = f"{folder}/report"
        wait_for(lambda: job.poll() is not None or (os.path.exists(report) and read(report).count("\n") > 2), 20)
        if job.poll() is None:
            os.kill(int(read(f"{folder}/{rank}")), signal.SIGKILL)
        return job.wait(), *job.communicate(), read(report)
