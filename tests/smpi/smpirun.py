#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs a program of SMPI on a simulated star of hosts, one for each rank.

usage: smpirun.py -n RANKS PROGRAM [ARGUMENT...]

Programs of SMPI are libraries, which SimGrid loads once for each rank. A message takes 10 us and its bytes over
1.25 GB/s, reading the clock 10 ns, and computation no time.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SIMULATED = ["--cfg=network/model:CM02", "--cfg=network/weight-S:0", "--cfg=network/crosstraffic:no",
             "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:1e-8", "--log=root.thres:critical"]


def main():
    if sys.argv[1:] == ["--version"]:
        sys.exit(subprocess.run(["smpirun", "--version"]).returncode)
    if len(sys.argv) < 4 or sys.argv[1] != "-n":
        sys.exit(__doc__)
    ranks = sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        platform, hosts = f"{folder}/platform.xml", f"{folder}/hosts"
        with open(platform, "w") as file:
            subprocess.run([sys.executable, f"{HERE}/../truth/platform.py", ranks, "5us", "1.25GBps"], stdout=file, check=True)
        with open(hosts, "w") as file:
            file.write("".join(f"host-{i}\n" for i in range(int(ranks))))
        sys.exit(subprocess.run(["smpirun", "-np", ranks, "-platform", platform, "-hostfile", hosts, *SIMULATED,
                                 *sys.argv[3:]]).returncode)


if __name__ == "__main__":
    main()
