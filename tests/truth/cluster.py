# SPDX-License-Identifier: BSL-1.0
"""Compiling and running programs on clusters that SimGrid's SMPI simulates."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FLAGS = ("-std=c++20 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fno-gnu-unique "
         "-DSMPI_NO_OVERRIDE_MALLOC").split()
OPTIONS = ["--cfg=network/model:CM02", "--cfg=network/weight-S:0", "--cfg=network/crosstraffic:no",
           "--cfg=smpi/simulate-computation:no", "--log=root.thres:error"]


class Cluster:
    """Programs and their simulations in one folder."""

    def __init__(self, folder, include):
        self.folder, self.include = folder, include

    def output(self, *command, timeout=100, status=0):
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=self.folder)
        if done.returncode != status:
            raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def compile(self, program):
        self.output("smpicxx", *FLAGS, f"-I{self.include}", f"{HERE}/{program}.cpp", "-o", program)

    def simulated(self, program, ranks, arguments=(), platform=(), wtime="0", options=(), timeout=100):
        """The output of a program on simulated ranks, one on each host of a platform (platform.py)."""
        with open(f"{self.folder}/platform.xml", "w") as file:
            file.write(self.output(sys.executable, f"{HERE}/platform.py", str(ranks), "5us", "1.25GBps", *platform))
        with open(f"{self.folder}/hosts", "w") as file:
            file.write("".join(f"host-{i}\n" for i in range(ranks)))
        return self.output("smpirun", "-np", str(ranks), "-platform", "platform.xml", "-hostfile", "hosts", *OPTIONS,
                           *options, f"--cfg=smpi/wtime:{wtime}", f"./{program}", *map(str, arguments), timeout=timeout)


def figures(text):
    """{name: words} of lines "NAME WORD..."."""
    return {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}
