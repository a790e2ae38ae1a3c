# SPDX-License-Identifier: BSL-1.0
"""Runs an OSU program and reads its rows, for benchmarks that compare programs or machines."""
import re
import subprocess
import time


def sweep(launcher, ranks, program, *options):
    """Seconds from the launch to its end, and the rows: {size: {column: text}}."""
    begin = time.monotonic()
    done = subprocess.run([launcher, "-n", str(ranks), program, *options], stdout=subprocess.PIPE, text=True, check=True)
    return time.monotonic() - begin, rows_of(done.stdout)


def rows_of(output):
    columns, rows = None, {}
    for line in output.splitlines():
        if line.startswith("# Size"):
            columns = re.split(r"\s{2,}", line.lstrip("# ").strip())
        elif columns and line[:1].isdigit():
            words = line.split()
            rows[int(words[0])] = dict(zip(columns, words))
    return rows


def judge(what, value, limit):
    """Prints the last line of every benchmark; true if the value is within the limit."""
    good = value <= limit
    print(f"{what}: {value:.4g} (limit {limit:.4g}) {'ok' if good else 'over'}", flush=True)
    return good
