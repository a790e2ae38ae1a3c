#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compile time of including and of using Sonde: CPU seconds of the compiler at -O2, alternating with other headers.

usage: include_cost.py BUILD_FOLDER

Prints a line for each set of headers: the fastest of all rounds, its ratio to the standard headers, and, if valgrind
is installed, the compiler's instructions, which do not depend on other load of the machine.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from compiler import command_of

ROUNDS = 7
REFERENCE = "standard"


def includes(*headers):
    return "".join(f"#include <{header}>\n" for header in headers)


# An application that runs a pattern, compares two and shows a table.
APPLICATION = includes("sonde/sonde.hpp", "sonde/mpi.hpp", "sonde/measure/compare.hpp", "sonde/report/table.hpp") + """
void measure(MPI_Comm comm) {
    sonde::mpi::group ranks{comm};
    auto const exchange = [=] { MPI_Barrier(comm); };
    auto const other = [=] { MPI_Barrier(comm), MPI_Barrier(comm); };
    sonde::table{sonde::output_file{stdout}}(sonde::run(ranks, sonde::plan<>{}, exchange));
    for (auto const& r : sonde::compare(ranks, sonde::plan<>{}, exchange, other).records)
        sonde::table{sonde::output_file{stdout}}(r);
}
"""
COMPILED = "with the compiled library"

# name: code, the file whose flags it is compiled with, limit in seconds
SETS = {
    REFERENCE: (includes("chrono", "string", "vector", "unordered_map", "limits", "cstring"), "empty.cpp", None),
    "core": (includes("sonde/sonde.hpp"), "empty.cpp", 0.40),
    "core and mpi": (includes("sonde/sonde.hpp", "sonde/mpi.hpp"), "ping_pong.cpp", 0.60),
    "core, " + COMPILED: (includes("sonde/sonde.hpp"), "empty.cpp", 0.40),
    "core and mpi, " + COMPILED: (includes("sonde/sonde.hpp", "sonde/mpi.hpp"), "ping_pong.cpp", 0.60),
    "application": (APPLICATION, "ping_pong.cpp", None),
    "application, " + COMPILED: (APPLICATION, "ping_pong.cpp", None),
    "Boost.MPI": (includes("boost/mpi.hpp"), "ping_pong.cpp", None),
}


def seconds(command):
    """CPU seconds of a command and its children; None if it fails."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    return used.ru_utime + used.ru_stime if status == 0 else None


def instructions(command):
    """Instructions of the compiler proper, which the driver's -### names; None without valgrind or with another kind of
    driver."""
    shown = subprocess.run([*command, "-###"], stderr=subprocess.PIPE, text=True).stderr
    proper = next((line.split() for line in shown.splitlines() if "cc1plus" in line.split(" -")[0]), None)
    if proper is None or shutil.which("valgrind") is None:
        return None
    callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    said = subprocess.run([*callgrind, *[word.strip('"') for word in proper]], stderr=subprocess.PIPE, text=True).stderr
    count = re.search(r"Collected : (\d+)", said)
    return int(count[1]) if count else None


def commands_of(build, place):
    """{name: command} of the sets that this build can compile."""
    made = {}
    for name, (code, like, limit) in SETS.items():
        file = os.path.join(place, name.replace(" ", "_").replace(",", "") + ".cpp")
        with open(file, "w") as out:
            out.write(code)
        command = command_of(build, like)
        if command is not None:
            command = [word for word in command if word != "-DSONDE_COMPILED"]
            command += ["-DSONDE_COMPILED"] * name.endswith(COMPILED)
            made[name] = [*command, "-c", file, "-o", file + ".o"]
            if seconds(made[name]) is None:
                if limit is not None:
                    sys.exit(f"{name}: does not compile")
                del made[name]
    return made


def main(build):
    with tempfile.TemporaryDirectory() as place:
        commands = commands_of(build, place)
        rounds = [{name: seconds(command) for name, command in commands.items()} for _ in range(ROUNDS)]
        best = {name: min(turn[name] for turn in rounds) for name in commands}
        return [judge(name, best, SETS[name][2], instructions(command)) for name, command in commands.items()]


def judge(name, best, limit, count):
    value = best[name]
    checked = "" if limit is None else f" (limit {limit:.2f}) {'ok' if value <= limit else 'over'}"
    counted = "" if count is None else f", {count / 1e6:.0f} million instructions"
    ratio = value / best[REFERENCE]
    print(f"seconds to compile {name}: {value:.3f}{checked}, ratio to {REFERENCE} {ratio:.2f}{counted}", flush=True)
    return limit is None or value <= limit


sys.exit(0 if all(main(sys.argv[1])) else 1)
