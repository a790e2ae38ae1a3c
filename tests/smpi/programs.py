# SPDX-License-Identifier: BSL-1.0
"""Every program of both suites on simulated hosts (SMPI): it prints rows, or says in one line what SMPI lacks."""
import os
import re
import subprocess
import unittest

EXAMPLES = os.environ["EXAMPLES"]
OSU = sorted(name for name in os.listdir(EXAMPLES + "/osu") if os.path.islink(f"{EXAMPLES}/osu/{name}"))
IMB = {"IMB-MPI1": ["-iter", "2", "-msglog", "6:7"], "IMB-NBC": ["-iter", "2", "-msglog", "6:7", "Ibcast_pure", "Iallreduce_pure"],
       "IMB-EXT": ["-iter", "2", "-msglog", "6:7"], "IMB-RMA": ["-iter", "2", "-msglog", "6:7", "Unidir_put", "One_get_all"],
       "IMB-P2P": ["-msglog", "6:7", "PingPong", "SendRecv_Replace"], "IMB-MT": ["-count", "1", "-repeat", "2"],
       "IMB-HALO": ["-count", "1", "-repeat", "2"], "IMB-EXAMPLE": ["-iter", "2", "-msglog", "6:7"], "IMB-IO": ["-msglog", "6:7"]}
LACKING = {"osu_latency_mt": "MPI_THREAD_MULTIPLE", "IMB-IO": "SMPI has no MPI_File_open, which this program needs"}
NO_GRAPHS = "SMPI has no MPI_Dist_graph_create_adjacent, which this program needs"


def run(path, *arguments, ranks):
    return subprocess.run([os.environ["MPI_RUN"], "-t", "60", "-n", str(ranks), f"{EXAMPLES}/{path}", *arguments],
                          capture_output=True, text=True, check=False)


class Programs(unittest.TestCase):
    def check(self, name, done, lack):
        if lack is not None:
            said = [line for line in done.stderr.splitlines() if lack in line]
            self.assertEqual(len(said), 1, done.stderr)
            self.assertNotEqual(done.returncode, 0)
            return
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ *[0-9.]+( +[0-9.]+)*$|^4\(x4\)\(bytes\) [0-9.]+\(usec\)|4 processes|nprocs: 4", f"{name} printed no row")

    def test_osu(self):
        for name in OSU:
            with self.subTest(name):
                ranks = 2 if re.search(r"osu_(get|put|acc|cas|fop|bw|bibw|latency|example)", name) else 4
                sized = [] if re.search(r"hello|init", name) else ["-i", "2", "-x", "1"]
                sized += [] if re.search(r"hello|init|barrier|cas_|fop_", name) else ["-m", "64:128"]
                self.check(name, run(f"osu/{name}", *sized, ranks=ranks),
                           NO_GRAPHS if "neighbor" in name else LACKING.get(name))

    def test_imb(self):
        for name, arguments in IMB.items():
            with self.subTest(name):
                self.check(name, run(f"imb/{name}", *arguments, ranks=2), LACKING.get(name))

    def test_a_ping_pong_takes_the_time_of_the_platform(self):
        done = run("osu/osu_latency", "-m", "1048576:1048576", ranks=2)
        time = float(re.search(r"(?m)^1048576 +([0-9.]+)", done.stdout)[1])
        self.assertAlmostEqual(time / (10 + (1048576 + 16) / 1250), 1, delta=0.02)


if __name__ == "__main__":
    unittest.main()
