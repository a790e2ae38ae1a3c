# SPDX-License-Identifier: BSL-1.0
"""Runs the OSU programs, and checks the format of their output."""
import concurrent.futures
import os
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "launcher"))
from launching import launch, read  # noqa: E402

LAUNCHER = os.environ["OSU_MPI_RUN"]
PROGRAMS = os.environ["OSU_PROGRAMS"]
COUNT_SHIM = os.environ["OSU_COUNT_SHIM"]
FAULT_SHIM = os.environ["OSU_FAULT_SHIM"]


def run(name, *arguments, **how):
    return launch(LAUNCHER, os.path.join(PROGRAMS, name), *arguments, **how)


def at_once(f, items):
    """(item, f(item)) of each, two at a time, since a start of several ranks is mostly waiting."""
    with concurrent.futures.ThreadPoolExecutor(2) as several:
        return list(zip(items, several.map(f, items)))


def counted(name, *arguments, ranks=2):
    """Each rank's numbers of calls by name: [{"MPI_Send": 10}, ...]."""
    with tempfile.TemporaryDirectory() as folder:
        answer = run(name, *arguments, ranks=ranks, environment={"LD_PRELOAD": COUNT_SHIM, "SONDE_COUNTS": folder + "/rank"})
        assert set(answer.codes) == {0}, answer
        return [{call: int(n) for call, n in map(str.split, read(f"{folder}/rank-{rank}").splitlines())} for rank in range(ranks)]


def title_line(columns):
    return "# Size    " + "".join(f"{title:>18}" for title in columns)


def statistics_titles(unit="us", more=()):
    """The columns of `--honest`, after all others."""
    figures = [f"{figure}({unit})" for figure in ("Median", "95% Low", "95% High", "P99", "Slowest", "t_max", "Max")]
    return "".join(f"{title:>18}" for title in (*figures, *more)) + \
        f"{'Samples':>12}{'Batch':>8}{'Outliers':>10}{'Tau':>8}{'Ended by':>13}{'Flags':>30}"


def titles_of(columns, rows="sizes"):
    """The line of titles: the first column begins it if rows have no size."""
    first = {"sizes": "# Size    ", "element": "# Size    ", "operations": f"{'# Operation':<20}", "none": "# "}[rows]
    head = "" if rows != "none" else columns[0]
    return first + head + "".join(f"{title:>{12 if title == 'Iterations' else 18}}" for title in columns[bool(head):])


def row_of(columns, size, good, iterations, width):
    """An expression for a row: the size aligned left, figures with two decimals in the width of their column, and texts."""
    label = "" if size is None else f"{size:<10}" if isinstance(size, int) else f"{size:<20}"
    text = "^" + re.escape(label)
    for at, title in enumerate(columns):
        if title in ("Iterations", "Validation"):
            text += f"{iterations or 0:12}" if title == "Iterations" else f"{good:>18}"
        else:
            wide = len("# " + title) if size is None and at == 0 else width
            text += rf"(?=.{{{wide}}}) *-?\d+\.\d\d"
    return text + "$"


def is_row(line, size, figures, texts=(), sign=""):
    """The size aligned left in 10, then figures with two decimals and the sign, then texts; each 18 wide."""
    cells = [line[at:at + 18] for at in range(10, len(line), 18)]
    values = [re.fullmatch(rf" *{sign}\d+\.\d\d", c) is not None for c in cells[:figures]]
    rest = [c.strip() for c in cells[figures:]]
    return line[:10] == f"{size:<10}" and len(cells) == figures + len(texts) and all(values) and \
        all(len(c) == 18 for c in cells) and rest == list(texts)


def wait_for(condition, seconds=300):
    """Waits until the condition holds; False after a time-out."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
