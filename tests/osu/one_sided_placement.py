# SPDX-License-Identifier: BSL-1.0
"""One-sided programs: placement of buffers and windows, and refused input; with a runtime of CUDA or HIP that needs no
device, and with OpenACC. What a build does not have is refused in one line."""
import os
import tempfile
import unittest

from driver import is_row, read, title_line
from placement import FAKE, GPU, OPENACC, SUFFIX, Checked, logs_of, on_device, openacc
from programs import BY_NAME, ONE_SIDED_PROGRAMS, windows_of

SHIM = os.environ["OSU_ONE_SIDED_SHIM"]
QUICK = ("-i", "3", "-x", "1", "-m", "4:8", "-c")
# MPI libraries that do not say whether they take addresses of ROCm are trusted.
UNAWARE = [] if GPU == "rocm" else [("D D", {}, r"This MPI library takes no addresses of a device \[D D\]; accepted: H H, .*")]


def title_of(program, suffix):
    """The suffix is after the name of MPI's function."""
    osu, function, rest = program.title.split(" ", 2)
    return f"# {osu} {function}{suffix} {rest} v7.4"


class Tables(Checked):
    def passes(self, program, answer, pair, places, suffix=SUFFIX):
        self.assertEqual((answer.codes, answer.err), ([0, 0], ""), answer)
        expected = [title_of(program, suffix), *windows_of(*pair)]
        expected += [f"# Rank 0 Memory on {places[0]} and Rank 1 Memory on {places[1]}"] if places else []
        expected += [title_line([program.columns[0], "Validation"])]
        self.assertEqual(answer.lines[:len(expected)], expected)
        for line, size in zip(answer.lines[len(expected):], (4, 8)):
            self.assertTrue(is_row(line, size, 1, ("passed",)), line)
        self.assertEqual(len(answer.rows), 2)


@unittest.skipUnless(FAKE, "built without CUDA and HIP")
class WithGpu(Tables):
    def test_windows_and_buffers_have_the_given_placement(self):
        host, device, managed = "HOST (H)", "DEVICE (D)", "MANAGED (M)"
        for name, given, pair, places in (("osu_put_latency", "D H", ("allocate", "flush"), (device, host)),
                                          ("osu_get_bw", "-w dynamic -s lock -W 3 D D", ("dynamic", "lock"), (device, device)),
                                          ("osu_put_bibw", "-w create -W 3 H D", ("create", "pscw"), (host, device)),
                                          ("osu_acc_latency", "-s fence M D", ("allocate", "fence"), (managed, device))):
            with self.subTest(f"{name} {given}"):
                self.passes(BY_NAME[name], on_device(name, *QUICK, *given.split(), aware=True), pair, places)

    def test_managed_memory_needs_no_device_support_of_the_library(self):
        answer = on_device("osu_get_latency", *QUICK, "-d", "managed", "M", "M")
        self.passes(BY_NAME["osu_get_latency"], answer, ("allocate", "flush"), None, suffix="")

    def test_d_alone_leaves_buffers_on_the_host(self):
        answer = on_device("osu_put_latency", *QUICK, "-d", GPU)
        self.passes(BY_NAME["osu_put_latency"], answer, ("allocate", "flush"), ("HOST (H)", "HOST (H)"))

    def test_windows_on_a_device_are_created_and_each_rank_has_its_buffer_place(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = on_device("osu_put_latency", "-i", "1", "-x", "0", "-m", "8:8", "D", "H", "--report", f"csv={folder}.csv",
                               aware=True, shim=SHIM, log=f"{folder}/%p", SONDE_COUNTS=f"{folder}.rank")
            self.assertEqual(answer.codes, [0, 0], answer)
            host, device = sorted(logs_of(folder), key=lambda log: "cudaMalloc " in log)
            # Send buffer and window, once to test for enough memory and once for the row.
            self.assertEqual((device.count("cudaMalloc 8"), host.count("cudaMalloc ")), (2 * 2, 0))
            title, row = read(f"{folder}.csv").splitlines()[:2]
            told = dict(zip(title.split(","), row.split(",")))
            self.assertEqual((told["from"], told["to"], told["creation"]), ("D", "H", "create"))
            for rank in (0, 1):
                self.assertIn("Win_create 1\n", read(f"{folder}.rank-{rank}"))
                os.remove(f"{folder}.rank-{rank}")
            os.remove(f"{folder}.csv")

    def test_a_flipped_byte_on_the_device_is_found(self):
        for name, fault in (("osu_put_latency", "sent"), ("osu_get_bw", "fetched")):
            answer = on_device(name, *QUICK, "D", "D", aware=True, shim=SHIM, SONDE_COUNTS="/dev/null", SONDE_FAULT=fault)
            self.assertEqual((answer.codes, [row[2] for row in answer.rows]), ([1, 1], ["failed"] * 2), answer)

    def test_impossible_requests_print_one_line(self):
        for given, settings, line in (
                *UNAWARE,
                ("-m 65536 M M", {"memory": "100000"}, r"Error allocating managed memory .*; accepted: sizes that fit"),
                ("-m 65536 H D", {"memory": "100000", "aware": True},
                 r"Error allocating device memory .*; accepted: sizes that fit"),
                (f"-d {GPU}", {"devices": "0"}, rf"No device \[-d {GPU}\]: .*; accepted: H H"),
                ("MD D", {}, r"Invalid word \[MD\]; accepted beside options: two of H, D, M")):
            with self.subTest(given):
                self.refused(on_device("osu_put_latency", *given.split(), **settings), line)


@unittest.skipUnless(OPENACC, "built without OpenACC")
class WithOpenAcc(Tables):
    def test_every_program_passes(self):
        device = "DEVICE (D)"
        for program in ONE_SIDED_PROGRAMS:
            with self.subTest(program.name):
                answer = openacc(program.name, *(QUICK[:4] if program.sizes == "element" else QUICK), "-c", "D", "D")
                self.assertEqual(answer.codes, [0, 0], answer)
                self.assertIn(f"# Rank 0 Memory on {device} and Rank 1 Memory on {device}", answer.lines)
                suffix = "-OPENACC" * (program.name != "osu_get_acc_latency")  # whose title has none in OMB
                self.assertIn(title_of(program, suffix), answer.lines)
                self.assertNotIn("failed", answer.out)

    def test_an_absent_device_prints_one_line(self):
        self.refused(openacc("osu_get_bw", "D", "H", environment={"ACC_DEVICE_TYPE": "abacus"}), r"No device \[D H\]: .*; accepted: H H")
