#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""slowest.py BUILD_FOLDER...

Prints the twenty files that took longest to build, and the twenty tests that took longest to run, in seconds of the
clock, of all build folders together. Several ran at the same time, so the sums are larger than the time of the run.
"""
import json
import pathlib
import sys

SHOWN = 20


def built(folder):
    """Seconds by output of the last build. Ninja's log has lines of: begin, end (ms), time of the file, output, hash."""
    log = folder / ".ninja_log"
    if not log.is_file():
        return {}
    fields = [line.split("\t") for line in log.read_text().splitlines() if not line.startswith("#")]
    return {f"{folder.name}/{f[3]}": (int(f[1]) - int(f[0])) / 1000 for f in fields if len(f) == 5}


def tested(folder):
    log = folder / "meson-logs" / "testlog.json"
    if not log.is_file():
        return {}
    tests = map(json.loads, log.read_text().splitlines())
    return {f"{folder.name}: {test['name']}": test["duration"] for test in tests}


def show(title, seconds):
    print(f"{title}: {len(seconds)}, {sum(seconds.values()):.0f} s in sum, of which the slowest are")
    for name, time in sorted(seconds.items(), key=lambda item: -item[1])[:SHOWN]:
        print(f"{time:8.1f} s  {name}")


def main(names):
    folders = [pathlib.Path(name) for name in names]
    for title, of in ("files built", built), ("tests run", tested):
        show(title, {name: time for folder in folders for name, time in of(folder).items()})


main(sys.argv[1:])
