#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""libraries.py [BUILD_FOLDER...]

Prints a table for docs/tested.md from the logs of the suite `libraries`: a row for each MPI library, a column for each kind of test, and how many tests
passed, or `passed of all` where not all did. A test is counted once, in whichever build it ran. Without folders, those of scripts/test.sh.
"""
import json
import pathlib
import re
import sys

# The library, its builds, and the name of the log, which is that of the folder below build-libraries where the library is not the build's.
ROWS = [("Open MPI 4.1.4", ("build", "build-asan"), "testlog"), ("Open MPI 5.0", ("build", "build-asan"), "openmpi"), ("MPICH 4.0.2", ("build-mpich",), "testlog"),
        ("MPICH 5.0, standard ABI", ("build-abi",), "testlog"), ("Intel MPI 2021.18, standard ABI", ("build-abi",), "intel"),
        ("Intel MPI 2021.18, ABI of MPICH 4", ("build-mpich",), "intel"), ("SimGrid 3.32 (SMPI)", ("build-smpi",), "testlog")]
# A column, and the names of its tests.
COLUMNS = {"library": r"(mpi\b(?! groups)|states and thread|an exception on one|rank \d|a rank|a message of|an access of 0|abort_on)",
           "records": r"mpi groups", "OSU": r"OSU (programs|one-sided)|programs of both suites", "IMB": r"IMB|programs of both suites",
           "C": r"c interface|ring in C", "Fortran": r"fortran module|(ring|heat) in Fortran", "Python": r"python",
           "traces": r"tools, (tracing|lateness|replaying|written traces|hanging)|traces of applications", "settings": r"tools, settings of the library"}


def results(folder, log):
    """Whether a test passed, by its name; of one that was skipped, None."""
    path = pathlib.Path(folder) / "meson-logs" / f"{log}.json"
    found = {}
    for line in path.read_text().splitlines() if path.is_file() else ():
        test = json.loads(line)
        suites, _, name = test["name"].rpartition(" / ")
        if "libraries" in suites:
            found[name] = None if test["result"] == "SKIP" else test["result"] in ("OK", "EXPECTEDFAIL")
    return found


def cell(tests, pattern):
    passed = [ok for name, ok in tests.items() if re.match(pattern, name) and ok is not None]
    if not passed:
        return "-"
    return str(len(passed)) if all(passed) else f"{sum(passed)} of {len(passed)}"


def main(folders):
    print("|".join(["", " MPI library ", *(f" {column} " for column in COLUMNS), ""]))
    print("|---" * (len(COLUMNS) + 1) + "|")
    for library, builds, log in ROWS:
        tests = {}
        for folder in builds:
            if not folders or folder in folders:
                tests |= results(folder, log)
        print("|".join(["", f" {library} ", *(f" {cell(tests, pattern)} " for pattern in COLUMNS.values()), ""]))


main(sys.argv[1:])
