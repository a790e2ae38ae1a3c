#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Which of two links between two hosts carried the messages: hosts are namespaces, so that the library's choice is known.

usage: witness.py MPIRUN FOLDER_OF_PROGRAMS [TRIALS]
"""
import os
import re
import subprocess
import sys
import unittest

import hosts
from hosts import HERE, Network

FAST, SLOW = "10.0.0.0/24", "10.1.0.0/24"
# Sends 64 kB over TCP again and again, from the second host to the first, until it is ended.
SINK = "import socket; s = socket.create_server(('10.0.0.1', 7777)); print('ready', flush=True); c, _ = s.accept()\nwhile c.recv(1 << 16): pass"
SOURCE = "import socket; s = socket.create_connection(('10.0.0.1', 7777))\nwhile True: s.sendall(bytes(1 << 16))"


class Witness(unittest.TestCase):
    programs, trials = None, 1

    def osu(self, network, *options, over=FAST, iterations=40, status=0):
        text = network.mpi(f"{self.programs}/osu/osu_latency", "-m", "65536:65536", "-i", iterations, "-x", "2", *options, over=over,
                           status=status)
        self.assertRegex(text, r"(?m)^65536 +[\d.]+$")
        return text

    def test_messages_over_the_slower_link_are_named_and_over_the_faster_one_nothing_is(self):
        with Network(2, 1000, 262144, second=100) as network:
            for trial in range(self.trials):
                with self.subTest(trial=trial):
                    self.assertRegex(self.osu(network, "--witness", over=SLOW),
                                     r"\n# Transport: (over )?\d+ % of \d\.\d MB went over second \(interface, 0\.1 Gbit/s, up\); "
                                     r"link \(interface, 1 Gbit/s, up\) carried nothing\n")
                    right = self.osu(network, "--witness")
                    self.assertNotIn("# Transport", right)
                    self.assertRegex(right, r"\n# Carried: .*: link \(interface, 1 Gbit/s, up\)\n")

    def test_a_device_that_is_expected_is_required(self):
        with Network(2, 1000, 262144, second=100) as network:
            self.assertNotIn("UNEXPECTED", self.osu(network, "--expect-device", "link"))
            self.assertRegex(self.osu(network, "--expect-device", "link", over=SLOW, status=1), "\nUNEXPECTED DEVICE: link carried ")

    def test_a_map_fails_if_another_device_carried_its_messages(self):
        with Network(2, 1000, 262144, second=100) as network:
            words = (f"{self.programs}/tools/sonde-map", "--latency", "none", "--bandwidth", "64K", "--window", "8", "--samples", "20",
                     "--expect-device", "link")
            self.assertRegex(network.mpi(*words), r"\nCarried: (over )?\d+ % of [\d.]+ MB: link ")
            self.assertRegex(network.mpi(*words, over=SLOW, status=1), r"\nlink carried .*: second \(interface, 0\.1 Gbit/s, up\)")

    def test_segments_that_are_sent_again_are_named(self):
        with Network(2, 100, 4096, second=20, queue=16384) as network:
            # Messages are longer than the queue before the link: what exceeds it is lost.
            self.assertRegex(self.osu(network, "--witness"), r"\n# Transport: TCP sent \d+ of \d+ segments again: ")

    def test_other_traffic_is_named_with_its_size(self):
        with Network(2, 100, second=20) as network:
            environment = os.environ | {"HOSTS": network.folder, "MOUNTS": "1"}
            sink = subprocess.Popen([f"{HERE}/enter.sh", "10.0.0.1", f"exec python3 -c \"{SINK}\""], stdout=subprocess.PIPE, env=environment)
            sink.stdout.readline()
            source = subprocess.Popen([f"{HERE}/enter.sh", "10.0.0.2", f"exec python3 -c \"{SOURCE}\""], env=environment)
            try:
                found = re.search(r"\n# Transport: other traffic of ([\d.]+) MB was on link ", self.osu(network, "--witness"))
                self.assertTrue(found)
                self.assertTrue(1 < float(found[1]) < 100, found[0])
            finally:
                for process in (source, sink):
                    process.kill()
                    process.communicate()


if __name__ == "__main__":
    hosts.enter_namespace()
    Network.mpirun, Witness.programs = map(os.path.abspath, sys.argv[1:3])
    Witness.trials = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    unittest.main(argv=sys.argv[:1], verbosity=2)
