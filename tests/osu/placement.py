# SPDX-License-Identifier: BSL-1.0
"""Buffer placement: buffer places, --staged, managed memory, refused input; with a runtime of CUDA or HIP that needs no
device, and with OpenACC on its device or on the host. What a build does not have is refused in one line."""
import dataclasses
import json
import os
import re
import tempfile
import unittest

from driver import FAULT_SHIM, is_row, read, run, title_line
from programs import BY_NAME, MESSAGE_PROGRAMS, start

FAKE = os.environ.get("OSU_FAKE_GPU")
GPU = os.environ.get("OSU_GPU", "")  # of the build: cuda, rocm or none
SUFFIX = "-" + GPU.upper()
OPENACC = os.environ.get("OSU_OPENACC")  # a library that records its allocations
ON_HOST = "Note: the host is OpenACC's device, and its memory is the host's\n"
ALL = MESSAGE_PROGRAMS[:8] # of one thread, of which each has its peer
QUICK = ("-i", "3", "-x", "1", "-u", "1", "-m", "4:8", "-c")
BARE = ("osu_multi_lat", "osu_mbw_mr")  # OMB's titles of these have no suffix
UNKNOWN = (r"Note: this MPI library does not say whether it takes addresses of a device \[.*\]; if the first message crashes, "
           r"accepted: (the same with --staged, )?H H, and all of it with a library that is ROCm-aware\n")
SHARED = r"Warning: \d ranks of a host share a device, and disturb each other\n"


def gpu_environment(*shims, **settings):
    """Of a program with the fake runtime, whose settings have its name: FAKE_HIP_LOG for log. SONDE_... are of the shims."""
    environment = {"LD_PRELOAD": ":".join([FAKE, *shims])}
    for name, value in settings.items():
        if name.startswith("SONDE_"):
            environment[name] = value
        elif GPU == "rocm":
            environment["FAKE_HIP_" + name.upper()] = value.replace("cudaHostAlloc", "hipHostMalloc").replace("cuda", "hip")
        else:
            environment["FAKE_CUDA_" + name.upper()] = value
    return environment


def on_device(name, *arguments, aware=False, shim="", ranks=2, **settings):
    """Runs with the fake runtime; `aware`: also with an MPI library that accepts device addresses."""
    shims = [*([os.environ["OSU_AWARE_SHIM"]] if aware else []), *([shim] if shim else [])]
    readable = {"readable": "1"} if aware else {}
    answer = run(name, *arguments, ranks=ranks, environment=gpu_environment(*shims, **{"devices": "2", **readable, **settings}))
    # MPI libraries that do not say whether they take addresses of ROCm are trusted, with a note.
    return dataclasses.replace(answer, err=re.sub(UNKNOWN, "", answer.err)) if GPU == "rocm" else answer


def logs_of(folder, ending=""):
    """The calls, in the names of CUDA."""
    logs = [read(os.path.join(folder, f)) for f in os.listdir(folder) if f.endswith(ending)]
    assert logs, "no calls were recorded"
    return [log.replace("hipHostMalloc", "cudaHostAlloc").replace("hip", "cuda") for log in logs]


def openacc(name, *arguments, **how):
    return run(name, *arguments, "-d", "openacc", **how)


def openacc_allocations(name, *arguments):
    """The bytes of each allocation of both ranks, sorted."""
    with tempfile.TemporaryDirectory() as folder:
        answer = openacc(name, *arguments, environment={"LD_PRELOAD": OPENACC, "SONDE_ACC_LOG": f"{folder}/log"})
        assert answer.codes == [0, 0], answer
        return sorted(map(int, read(f"{folder}/log").split())) if os.listdir(folder) else []


class Checked(unittest.TestCase):
    def refused(self, answer, line, ranks=2):
        """One line, of rank 0; status 1 on all ranks; no measurement."""
        self.assertEqual(answer.codes, [1] * ranks, answer)
        self.assertEqual(answer.out, "")
        self.assertRegex(answer.err, rf"^{line}\n$")


class Tables(Checked):
    def passes(self, program, answer, suffix=SUFFIX, sign=""):
        """The whole table, as on the host except for the title; every row's contents were right."""
        self.assertEqual(answer.codes, [0] * program.ranks, answer)
        expected = [line.replace("MPI", "MPI" + suffix, 1) if "v7.4" in line and program.name not in BARE else line
                    for line in (*program.before, f"# {program.title} v7.4", *program.after)]
        titles = title_line((*program.columns, "Validation"))
        self.assertEqual(answer.lines[:len(expected) + 1], [*expected, titles])
        rows = answer.lines[len(expected) + 1:]
        self.assertEqual(len(rows), 2)
        for row, size in zip(rows, (4, 8)):
            self.assertTrue(is_row(row, size, len(program.columns), ("Pass",), sign), row)


@unittest.skipUnless(FAKE, "built without CUDA and HIP")
class WithGpu(Tables):
    def test_device_memory_is_staged_through_the_host_in_every_program(self):
        for program in ALL:
            with self.subTest(program.name):
                answer = on_device(program.name, *QUICK, *program.window, "D", "D", "--staged", ranks=program.ranks)
                self.passes(program, answer)
                self.assertEqual(answer.err != "", program.ranks > 2)  # four ranks share two devices

    def test_device_memory_is_passed_to_a_library_with_device_support(self):
        for program, words in (("osu_latency", "D D"), ("osu_bw", "H D"), ("osu_bibw_persistent", "D H")):
            with self.subTest(f"{program} {words}"):
                self.passes(BY_NAME[program], on_device(program, *QUICK, *words.split(), aware=True))

    def test_managed_memory_is_touched_and_validation_passes(self):
        for program, words in (("osu_latency", "MD MD"), ("osu_bibw", "MH MD"), ("osu_bw_persistent", "H MD"),
                               ("osu_latency_persistent", "MH D")):
            with self.subTest(f"{program} {words}"):
                answer = on_device(program, *QUICK, *words.split(), aware=True)
                self.passes(BY_NAME[program], answer, sign="-?")  # the cost of touching may exceed a short time
                warned = "Tests involving managed buffers will use multiple buffers by default" in answer.err
                self.assertEqual(warned, "bw" in program)

    def test_m_is_read_as_mh_with_a_message_of_every_rank(self):
        answer = on_device("osu_latency", *QUICK, "M", "M")
        self.passes(BY_NAME["osu_latency"], answer)
        self.assertEqual(sorted(answer.err.splitlines()),
                         [f"Warning: M is read as MH on rank {rank}; say MH or MD" for rank in (0, 1)])

    def test_each_side_has_its_buffer_place(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = on_device("osu_bw", "-i", "3", "-x", "1", "-m", "8:8", "-W", "2", "MD", "D", "--staged",
                               log=f"{folder}/%p")
            self.assertEqual(answer.codes, [0, 0], answer)
            managed, device = sorted(logs_of(folder), key=lambda log: "cudaMalloc " in log)
            self.assertIn("cudaMallocManaged", managed)
            self.assertNotIn("cudaMallocManaged", device)
            # 1 + 3 windows of two messages: sent ones are set on the device before, received ones copied there after.
            self.assertEqual(managed.count("cudaMemsetAsync 8 "), 8)
            self.assertEqual(device.count("cudaMemcpy 8 HostToDevice"), 8)

    def calls(self, name, *arguments, **settings):
        """The figures of both ranks; the one with managed memory after the other, if there is one."""
        with tempfile.TemporaryDirectory() as folder:
            answer = on_device(name, *arguments, log=f"{folder}/%p", **settings)
            self.assertEqual(answer.codes, [0, 0], answer)
            return sorted(logs_of(folder), key=lambda log: "cudaMallocManaged" in log)

    def test_managed_memory_of_a_receiver_is_set_on_the_device_after_each_message(self):
        host, managed = self.calls("osu_bw", "-i", "3", "-x", "1", "-m", "8:8", "-W", "2", "H", "MD")
        self.assertNotIn("cudaMemsetAsync 8 ", host)
        self.assertEqual(managed.count("cudaMemPrefetchAsync 8 "), 8)
        self.assertEqual(managed.count("cudaMemsetAsync 8 "), 8)

    def test_large_managed_memory_of_the_host_is_prefetched_there(self):
        for size, fetched in ((8, 0), (262144, 8)):
            host, managed = self.calls("osu_bw", "-i", "3", "-x", "1", "-m", f"{size}:{size}", "-W", "2", "MH", "H")
            self.assertNotIn("cudaMemPrefetchAsync", host)
            self.assertEqual(managed.count("cudaMemPrefetchAsync"), fetched)
            self.assertNotIn("cudaMemsetAsync", managed)

    def test_the_touch_cost_is_measured_by_the_rank_whose_time_is_printed(self):
        logs = self.calls("osu_latency", "-i", "3", "-x", "1", "-m", "8:8", "MD", "MD")
        self.assertEqual(sorted(log.count("cudaMemsetAsync 1 ") for log in logs), [0, 1010])

    def test_no_stream_is_created_during_sampling(self):
        for words in ("MD MD", "MH MH"):
            for log in self.calls("osu_latency", "-i", "3", "-x", "0", "-m", "262144:262144", *words.split()):
                self.assertIn("cudaMemPrefetchAsync", log)
                self.assertLess(log.index("cudaStreamCreate"), log.index("cudaMallocManaged"))

    def test_staging_memory_is_allocated_before_the_first_row(self):
        for log in self.calls("osu_bw", "-i", "3", "-x", "1", "-m", "8:64", "D", "D", "--staged"):
            self.assertEqual(log.count("cudaHostAlloc"), 1)
            self.assertLess(log.index("cudaHostAlloc"), log.index("cudaMemcpy"))

    def test_a_failed_page_locked_allocation_on_one_rank_prints_one_line(self):
        answer = on_device("osu_latency", *QUICK, "D", "D", "--staged", fail="cudaHostAlloc:1@1")
        self.refused(answer, r"Error allocating page-locked memory \[-m, -W\]: .*; accepted: sizes that fit")

    def test_a_failure_between_rows_ends_the_job_and_leaves_the_rows_before_it(self):
        # Rank 0 takes a byte of the device in every row, which no other rank waits for before the next.
        with self.assertRaisesRegex(AssertionError, r"the launcher ended with [^\x00]*\n8  [^\x00]*\n16  [^\x00]*(cuda|hip)Malloc: ") as end:
            on_device("osu_latency", "-i", "3", "-x", "1", "-m", "8:64", "MD", "MD", fail="cudaMalloc:3@0")
        self.assertNotRegex(str(end.exception), r"\n32 ")

    def test_d_alone_names_the_device_and_leaves_buffers_on_the_host_with_a_message(self):
        answer = on_device("osu_latency", *QUICK, "-d", GPU)
        self.passes(BY_NAME["osu_latency"], answer)
        self.assertEqual(answer.err, "Note: buffers are in host memory; D D places them on the device\n")
        self.passes(BY_NAME["osu_latency"], on_device("osu_latency", *QUICK, "-d", "managed"), suffix="")

    def test_a_flipped_byte_on_the_device_is_found(self):
        flipped = {"SONDE_FAULT": "last", "SONDE_FAULT_FROM": "1", "shim": FAULT_SHIM}
        for words, aware in (("D D", True), ("H D --staged", False), ("MD MD", False)):
            for name in ("osu_latency", "osu_bw"):
                with self.subTest(f"{name} {words}"):
                    answer = on_device(name, *QUICK, *words.split(), aware=aware, **flipped)
                    self.assertEqual(answer.codes, [1, 1], answer)
                    self.assertEqual([row[2] for row in answer.rows], ["Fail"])

    def test_reports_have_the_placement_of_buffers(self):
        with tempfile.TemporaryDirectory() as folder:
            on_device("osu_latency", *QUICK, "D", "H", "--staged", "--report", f"csv={folder}/rows")
            title, row = read(f"{folder}/rows").splitlines()[:2]
            told = dict(zip(title.split(","), row.split(",")))
            self.assertEqual([told[name] for name in ("from", "to", "staged")], ["D", "H", "yes"])

    def test_reports_name_the_devices_of_ranks(self):
        for devices, shared in (("2", ""), ("1", ", shared by 2 ranks")):
            with tempfile.TemporaryDirectory() as folder:
                on_device("osu_latency", *QUICK, "MD", "H", "--report", f"json={folder}/rows", devices=devices)
                told = json.loads(read(f"{folder}/rows").splitlines()[0])["devices"]
                self.assertEqual(len(told), 2)
                for device in told:
                    self.assertRegex(device, rf"^Fake (CUDA|HIP) device, driver \d+\.\d, runtime \d+\.\d{shared}$")
        with tempfile.TemporaryDirectory() as folder:
            run("osu_latency", *QUICK, "--report", f"json={folder}/rows")
            self.assertNotIn("devices", json.loads(read(f"{folder}/rows").splitlines()[0]))

    @unittest.skipUnless(GPU == "rocm", "MPI libraries say whether they take addresses of CUDA")
    def test_a_library_that_does_not_say_whether_it_takes_addresses_is_trusted_with_a_note(self):
        fake = gpu_environment(devices="2", readable="1")
        for words in ("D D", "D H"):
            self.assertRegex(run("osu_latency", *QUICK, *words.split(), environment=fake).err, rf"^{UNKNOWN}$")
        for words in ("D D --staged", "MD MD"):
            self.assertNotIn("Note", run("osu_latency", *QUICK, *words.split(), environment=fake).err)

    @unittest.skipIf(GPU == "rocm", "MPI libraries that do not say whether they take addresses of ROCm are trusted")
    def test_a_library_without_device_support_gets_no_device_addresses(self):
        for words in ("D D", "H D", "D MH"):
            self.refused(on_device("osu_latency", *words.split()),
                         rf"This MPI library takes no addresses of a device \[{words}\]; accepted: the same with --staged, .*")

    def test_managed_memory_is_touched_only_with_concurrent_access(self):
        for words in ("MD MD", "H MH"):
            self.refused(on_device("osu_latency", *words.split(), concurrent="0"),
                         rf"The device does not let the host use managed memory .* \[{words}\]; accepted: words without .*")

    def test_a_missing_device_prints_one_line(self):
        for settings, why in (({"devices": "0"}, "there is no (CUDA|HIP) device"),
                              ({"driver": "none"}, "there is no (NVIDIA|AMD) driver"),
                              ({"driver": "old"}, "is newer than the driver")):
            for given in ("D D --staged", f"-d {GPU}"):
                with self.subTest(f"{given}: {why}"):
                    self.refused(on_device("osu_latency", *given.split(), **settings), rf"No device \[{given}\]: .*{why}.*")

    def test_a_shared_device_is_reported_once(self):
        answer = on_device("osu_latency", *QUICK, "MH", "MH", devices="1")
        self.passes(BY_NAME["osu_latency"], answer)
        self.assertRegex(answer.err, rf"^{SHARED}$")

    def test_ranks_that_each_see_their_own_device_share_none(self):
        answer = on_device("osu_latency", *QUICK, "MH", "MH", devices="1", own="1")
        self.passes(BY_NAME["osu_latency"], answer)
        self.assertEqual(answer.err, "")

    def test_exhausted_device_memory_prints_one_line(self):
        for words, what in (("D D --staged", "device"), ("H D --staged", "device"), ("MD MH", "managed")):
            with self.subTest(words):
                answer = on_device("osu_latency", *words.split(), "-m", "1048576", memory="1000000")
                self.refused(answer, rf"Error allocating {what} memory \[-m, -W\]: .*; accepted: sizes that fit")

    def test_managed_memory_of_ranks_that_share_a_device_fits_it_in_total(self):
        for devices, fits in ((2, True), (1, False)):
            answer = on_device("osu_latency", *QUICK[:6], "-m", "1048576:1048576", "MD", "MD", memory="3000000",
                               devices=str(devices))
            self.assertEqual(answer.codes, [1 - fits] * 2, answer)


@unittest.skipIf(FAKE, "built with CUDA or HIP")
class WithoutGpu(Checked):
    def test_host_memory_on_both_sides_is_supported(self):
        answer = run("osu_latency", *QUICK, "H", "H")
        self.assertEqual([row[2] for row in answer.rows], ["Pass", "Pass"])


@unittest.skipUnless(OPENACC, "built without OpenACC")
class WithOpenAcc(Tables):
    def test_device_memory_passes_with_and_without_staging_in_every_program(self):
        for program in ALL:
            for given in ("D D", "D D --staged", "H D", "D H --staged"):
                with self.subTest(f"{program.name} {given}"):
                    answer = openacc(program.name, *QUICK, *program.window, *given.split(), ranks=program.ranks)
                    self.passes(program, answer, suffix="-OPENACC")
                    self.assertIn(answer.err, ("", ON_HOST))

    def test_a_fan_may_have_its_memory(self):
        for name in ("osu_bw_fan_in", "osu_bw_fan_out"):
            answer = start(BY_NAME[name], "-m", "8:8", "-i", "3", "-x", "1", "-d", "openacc", "D", "D")
            self.assertEqual((answer.codes, answer.lines[1], len(answer.rows)), ([0] * 4, "# OSU MPI-OPENACC Bandwidth Test v7.4", 1), answer)

    def test_only_buffers_of_d_are_its_memory(self):
        once = ("-i", "1", "-x", "0", "-m", "1024:1024")
        counts = [len(openacc_allocations("osu_latency", *once, *words.split())) for words in ("H H", "H D", "D D", "D D --staged")]
        self.assertEqual(counts, [0, 2, 4, 4])

    @unittest.skipIf(FAKE, "D is the GPU's memory")
    def test_d_is_its_memory_in_a_build_without_a_gpu(self):
        self.passes(BY_NAME["osu_bw"], run("osu_bw", *QUICK, "D", "D"), suffix="-OPENACC")

    @unittest.skipUnless(FAKE, "built without CUDA and HIP")
    def test_it_and_a_gpu_are_in_one_program(self):
        with tempfile.TemporaryDirectory() as folder:
            self.passes(BY_NAME["osu_bw"], on_device("osu_bw", *QUICK, "D", "D", "-d", "openacc", log=f"{folder}/%p"), suffix="-OPENACC")
            self.assertEqual([file for file in os.listdir(folder) if "cudaMalloc" in read(os.path.join(folder, file))], [])

    def test_d_alone_leaves_buffers_on_the_host_with_a_message(self):
        answer = openacc("osu_latency", *QUICK)
        self.passes(BY_NAME["osu_latency"], answer, suffix="-OPENACC")
        self.assertIn("Note: buffers are in host memory; D D places them on the device\n", answer.err)

    def test_a_flipped_byte_is_found(self):
        for words in ("D D", "H D --staged"):
            answer = openacc("osu_bw", *QUICK, *words.split(),
                             environment={"LD_PRELOAD": FAULT_SHIM, "SONDE_FAULT": "last", "SONDE_FAULT_FROM": "1"})
            self.assertEqual((answer.codes, [row[2] for row in answer.rows]), ([1, 1], ["Fail"]), answer)

    def test_reports_have_the_placement_and_the_devices(self):
        with tempfile.TemporaryDirectory() as folder:
            openacc("osu_latency", *QUICK, "D", "H", "--report", f"json={folder}/rows")
            first, row = map(json.loads, read(f"{folder}/rows").splitlines()[:2])
            self.assertEqual([row["parameters"][name] for name in ("from", "to", "staged")], ["D", "H", "no"])
            self.assertRegex(" ".join(first["devices"]), r"^(.*, by OpenACC ?){2}$")

    def test_impossible_requests_print_one_line(self):
        for given, environment, line in (
                ("MD H", {}, r"OpenACC has no managed memory \[MD H\]; accepted: words of H and D"),
                ("D D", {"ACC_DEVICE_TYPE": "abacus"}, r"No device \[D D\]: there is no OpenACC device of the type in ACC_DEVICE_TYPE, abacus; .*"),
                ("-m 4:8", {"ACC_DEVICE_TYPE": "abacus"}, r"No device \[-d openacc\]: .*; accepted: H H")):
            with self.subTest(given):
                self.refused(openacc("osu_latency", *given.split(), environment=environment), line)

    def test_memory_of_the_host_is_counted(self):
        if openacc("osu_latency", *QUICK, "D", "D").err != ON_HOST:
            self.skipTest("the device has memory of its own")
        small = {"LD_PRELOAD": os.environ["OSU_SMALL_HOST"], "HOST_MEMORY_PAGES": str((13 << 20) // os.sysconf("SC_PAGESIZE"))}
        self.refused(openacc("osu_latency", "D", "D", environment=small), r"Not enough memory \[-m, .*")
