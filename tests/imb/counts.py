# SPDX-License-Identifier: BSL-1.0
"""Numbers of MPI calls of the programs, seen through PMPI: the suite's rule of repetitions, and factors of
bandwidths."""
import tempfile
import unittest

from programs import COUNT_SHIM, read, run, tables


def counted(name, *arguments, ranks=2, rank=0):
    """The program's result, and the calls of a rank with their numbers."""
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/sizes", "w") as sizes:
            sizes.write("8\n")
        answer = run(name, *arguments, ranks=ranks, folder=folder,
                     environment={"LD_PRELOAD": COUNT_SHIM, "SONDE_COUNTS": folder + "/rank"})
        assert answer.codes == [0] * ranks, answer
        words = [line.split() for line in read(f"{folder}/rank-{rank}").splitlines()]
        return answer, {word: int(n) for word, n in words}


class Repetitions(unittest.TestCase):
    ONE_SIZE = ("-msglog", "3:3", "-msglen", "sizes", "-time", "100")
    DYNAMIC = 1 + 15 + 10 + 15          # one, the estimate (15 if one takes less than 66 ms), the warm-up, the reported ones

    def check(self, name, benchmark, call, calls, *arguments, iterations="15,1,12"):
        # A machine that stands still for 66 ms makes the estimate shorter: this does not happen three times in a row.
        for _ in range(3):
            answer, found = counted(name, benchmark, "-iter", iterations, *self.ONE_SIZE, *arguments)
            if found.get(call, 0) == calls:
                break
        with self.subTest(benchmark=benchmark, arguments=arguments):
            self.assertEqual(found.get(call, 0), calls)
        return answer

    def test_of_a_size_are_one_then_the_estimate_then_a_warm_up_then_the_printed_ones(self):
        for benchmark, call, calls in (("PingPong", "MPI_Send:MPI_BYTE", 1), ("PingPing", "MPI_Isend:MPI_BYTE", 1),
                                       ("Sendrecv", "MPI_Sendrecv:MPI_BYTE", 1), ("Exchange", "MPI_Isend:MPI_BYTE", 2),
                                       ("Allreduce", "MPI_Allreduce:MPI_FLOAT", 1), ("Bcast", "MPI_Bcast:MPI_BYTE", 1)):
            self.check("IMB-MPI1", benchmark, call, calls * self.DYNAMIC)

    def test_of_transfers_are_completed_together_or_one_by_one(self):
        puts = self.DYNAMIC                             # by the origin, rank 0; equal in both modes
        one_by_one = 1 + 12 + 10 + 12
        answer = self.check("IMB-EXT", "Unidir_Put", "MPI_Put:MPI_BYTE", puts, "-aggregate_mode", "aggregate")
        self.assertEqual([row[1] for row in tables(answer)[0].rows], ["15"])
        self.check("IMB-EXT", "Unidir_Put", "MPI_Put:MPI_BYTE", one_by_one, "-aggregate_mode", "non_aggregate")
        writes = 1 + 15 + 15                            # there is no warm-up of files
        self.check("IMB-IO", "S_Write_Indv", "MPI_File_write:MPI_BYTE", writes, "-aggregate_mode", "aggregate")
        self.check("IMB-IO", "S_Write_Indv", "MPI_File_sync", 3 * 2, "-aggregate_mode", "aggregate")
        self.check("IMB-IO", "S_Write_Indv", "MPI_File_sync", 2 * (1 + 12 + 12), "-aggregate_mode", "non_aggregate")


class Memory(unittest.TestCase):
    def test_for_a_block_of_each_rank_is_taken_by_roots_only(self):
        for benchmark, rank, shift, taken in (("Scatterv", 0, "off", 4096), ("Gather", 1, "off", 2048), ("Gather", 1, "on", 4096)):
            found = counted("IMB-MPI1", benchmark, "-npmin", "3", "-msglog", "10:10", "-zero_size", "off", "-iter", "1",
                            "-root_shift", shift, ranks=3, rank=rank)[1]
            with self.subTest(benchmark=benchmark, rank=rank, root_shift=shift):
                self.assertEqual(found["MPI_Alloc_mem:bytes"], taken)


class Bandwidths(unittest.TestCase):
    def test_are_the_suites_multiple_of_the_size_over_the_longest_time(self):
        for name, factors in (("IMB-MPI1", {"PingPong": 1, "PingPing": 1, "Sendrecv": 2, "Exchange": 4}),
                              ("IMB-EXT", {"Unidir_Put": 1, "Bidir_Put": 1}),
                              ("IMB-RMA", {"Unidir_put": 1, "Bidir_get": 1, "One_put_all": 2}),
                              ("IMB-IO", {"P_Write_Expl": 1})):
            with tempfile.TemporaryDirectory() as folder:
                answer = run(name, *factors, "-iter", "5,40,5", "-msglog", "20:20", "-npmin", "3",
                             ranks=3, folder=folder)
            for table in tables(answer):
                for row in table.rows:
                    figures = dict(zip(table.titles, map(float, row)))
                    if figures["#bytes"] == 0:
                        continue
                    longest = figures.get("t_max[usec]", figures.get("t[usec]"))
                    factor, rounded = factors[table.benchmark], 0.005 / figures["Mbytes/sec"]  # printed with two decimals
                    with self.subTest(benchmark=table.benchmark, mode=table.mode):
                        self.assertAlmostEqual(figures["Mbytes/sec"] * longest / figures["#bytes"], factor, delta=1e-3 + factor * rounded)
