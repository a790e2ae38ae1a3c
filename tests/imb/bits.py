# SPDX-License-Identifier: BSL-1.0
"""-check_bits: right bits are counted, wrong ones located."""
import os
import re
import unittest

from programs import run

SMALL = ("-iter", "3", "-time", "9", "-msglog", "3:3", "-npmin", "9")
WRONG = {"LD_PRELOAD": os.environ.get("IMB_FAULT_SHIM", ""), "SONDE_FAULT": "last", "SONDE_FAULT_BYTES": "8", "SONDE_FAULT_SENDER": "1"}
COLLECTIVE_WRONG = {"LD_PRELOAD": os.environ.get("IMB_COLLECTIVE_FAULT_SHIM", ""), "SONDE_FAULT": "last", "SONDE_FAULT_FROM": "20", "SONDE_FAULT_RANK": "1"}
ORDERED = {"LD_PRELOAD": os.environ.get("IMB_ORDER_SHIM", ""), "SONDE_ORDER": "rank"}


class Bits(unittest.TestCase):
    def summary(self, answer):
        lines = [line for line in answer.lines if re.match("# (No w|W)rong bit", line)]
        self.assertEqual(len(lines), 1, answer)
        return lines[0]

    def test_all_messages_of_a_round_are_compared_and_sums_repeat(self):
        for tests, line in ((("PingPong",), "# No wrong bit in 40 messages"), (("Exchange", "Uniband"), "# No wrong bit in 10400 messages"),
                            (("Alltoall", "Bcast"), "# No wrong bit in 380 blocks"), # a root receives nothing
                            (("Sendrecv", "Alltoall"), "# No wrong bit in 80 messages; No wrong bit in 320 blocks"),
                            (("Reduce",), "# No wrong bit in 20 sums; sums of rounded numbers have the same bits again in 1 row"),
                            (("Allreduce",), "# No wrong bit in 40 sums; sums of rounded numbers have the same bits again in 1 row")):
            ranks = 2 if len(tests) == 1 else 4
            answer = run("IMB-MPI1", *SMALL, "-check_bits", "20", *tests, ranks=ranks)
            self.assertEqual((set(answer.codes), self.summary(answer)), ({0}, line), answer)

    @unittest.skipUnless("IMB_FAULT_SHIM" in os.environ, "built without tests/osu")
    def test_wrong_bits_are_located_and_end_the_program_with_status_1(self):
        answer = run("IMB-MPI1", *SMALL, "-check_bits", "20", "Exchange", ranks=4, environment=WRONG)
        self.assertEqual(set(answer.codes), {1}, answer)
        self.assertIn("# rank 1 to rank 0, round 0, byte 0: wrong bits 0x2000000000000000", answer.lines)
        self.assertIn("# rank 1 to rank 2, round 3, byte 0: wrong bits 0x2000000000000000", answer.lines)
        self.assertRegex(self.summary(answer), r"^# Wrong bits in 40 of 160 messages, on 2 of 8 pairs of sender and receiver: (messages from )?rank 1 ")
        self.assertIn("Contents were wrong: see the lines on wrong bits", answer.err)

    @unittest.skipUnless("IMB_FAULT_SHIM" in os.environ, "built without tests/osu")
    def test_of_wrong_blocks_no_rank_is_named(self):
        answer = run("IMB-MPI1", *SMALL, "-check_bits", "20", "Alltoall", ranks=4, environment=COLLECTIVE_WRONG)
        self.assertEqual(set(answer.codes), {1}, answer)
        self.assertRegex(self.summary(answer), r"^# Wrong bits in \d+ of 320 blocks, from rank 3 to rank 1; "
                                               r"the library may have passed them through other ranks$")

    @unittest.skipUnless("IMB_ORDER_SHIM" in os.environ, "built without tests/osu")
    def test_sums_of_a_group_are_told_by_ranks_of_all_processes(self):
        groups = ("-multi", "0", "-map", "2x3", "-npmin", "3", "-msglog", "7:7") # ranks 0, 2, 4 and 1, 3, 5, then all
        answer = run("IMB-MPI1", *SMALL[:4], *groups, "-check_bits", "20", "Allreduce", ranks=6, environment=ORDERED)
        self.assertEqual((set(answer.codes), [line for line in answer.lines if "other bits" in line]), (
            {0}, [f"# sums of rounded numbers: rank {rank} has other bits than rank 0" for rank in (2, 4, 2, 4, 1, 3, 5)]), answer)

    def test_gaps_between_elements_are_refused(self):
        answer = run("IMB-MPI1", "-check_bits", "20", "-contig_type", "resize", ranks=2)
        self.assertEqual((set(answer.codes), answer.err.splitlines()[0]), (
            {1}, "Bits between the elements of a type are not sent [-check_bits -contig_type resize]; accepted: one of the two"))
