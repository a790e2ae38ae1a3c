#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""tally.py [--skipped REASON] BUILD_FOLDER...

Sums the test runs of build folders, with any MPI library, and one more that was skipped as a whole. Names what failed and what was skipped, with its reason;
the last line is `N passed, N failed, N skipped`. A folder without a log of tests did not build: that is one failure. Fails where any did.
"""
import json
import pathlib
import sys

PASSED = {"OK", "EXPECTEDFAIL"}


def results(folder):
    """(the library's log, a test) of each."""
    logs = pathlib.Path(folder) / "meson-logs"
    if not (logs / "testlog.json").is_file():
        yield "", {"name": "builds", "result": "FAIL", "stdout": "no test ran: it was not built, or has none"}
    for log in sorted(logs.glob("*.json")):
        yield from (("" if log.stem == "testlog" else f" with {log.stem}", json.loads(line)) for line in log.read_text().splitlines())


def output(test):
    return (test.get("stdout", "") + test.get("stderr", "")).strip()


def kind(test):
    if test["result"] in PASSED:
        return "passed"
    return "skipped" if test["result"] == "SKIP" else "failed"


def tell(folder, test):
    lines = output(test).splitlines() or ["no output"]
    if test["result"] == "SKIP":
        print(f"{folder}: skipped: {test['name']}: {lines[-1]}")
    elif kind(test) != "passed":
        print(f"{folder}: {test['result']}: {test['name']}", *lines[-40:], sep="\n    ")


def main(folders):
    count = {"passed": 0, "failed": 0, "skipped": 0}
    if folders[:1] == ["--skipped"]:
        print(f"skipped: {folders[1]}")
        count["skipped"] += 1
        folders = folders[2:]
    for folder in folders:
        for library, test in results(folder):
            tell(folder + library, test)
            count[kind(test)] += 1
    print(", ".join(f"{n} {what}" for what, n in count.items()))
    return 1 if count["failed"] else 0


sys.exit(main(sys.argv[1:]))
