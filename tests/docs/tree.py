#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""tree.py ROOT

Compares the pages with include/sonde/ and drawing/sonde/: docs/design.md names each header once, in the first column of a
table, that no other page of docs/ names, and no other header; the number of headers is right; in the root there are the
topics, sonde.hpp and version.hpp. In a row, a name without a folder is in the folder of the name before it. The headers
that mpi.hpp, shmem.hpp, upcxx.hpp and nccl.hpp leave out are those of the page. Prints the differences; exits with 1 if
there are any.
"""
import collections
import pathlib
import re
import sys


def named(page):
    tree = page[page.index("\n## The tree"):page.index("\nPrograms and tests:")]
    for row in re.findall(r"^\| (`[^|]*\.hpp`[^|]*) \|", tree, re.M):
        folder = pathlib.PurePath()
        for name in map(pathlib.PurePath, re.findall(r"`([\w/]+\.hpp)`", row)):
            folder = name.parent if len(name.parts) > 1 else folder
            yield str(folder / name.name)


def included(root, header, seen):
    """The headers that a header includes, at any depth."""
    for name in re.findall(r"^#include <sonde/([\w/]+\.hpp)>", (root / header).read_text(), re.M):
        if name not in seen:
            seen.add(name)
            included(root, name, seen)
    return seen


def left_out(root, topic):
    reached = included(root, f"{topic}.hpp", set())
    return {str(path.relative_to(root / topic)) for path in (root / topic).rglob("*.hpp") if str(path.relative_to(root)) not in reached}


def faults(root):
    headers, drawing = ({str(path.relative_to(root / folder)) for path in (root / folder).rglob("*.hpp")}
                        for folder in ("include/sonde", "drawing/sonde"))
    page = (root / "docs/design.md").read_text()
    names = collections.Counter(named(page))
    others = "".join(path.read_text() for path in (root / "docs").rglob("*.md") if path.name != "design.md")
    elsewhere = set(re.findall(r"(?:`|sonde/)([\w/]+\.hpp)(?=[`>])", others))
    yield from (f"{name} is on no page" for name in sorted((headers | drawing) - set(names) - elsewhere))
    yield from (f"{name} is in the tree, and on another page" for name in sorted(set(names) & elsewhere))
    yield from (f"{name} is in the tree and is no header" for name in sorted(set(names) - headers - drawing))
    yield from (f"{name} is in the tree {n} times" for name, n in names.items() if n > 1)
    if f"`include/sonde/` has {len(headers)} headers" not in page:
        yield f"there are {len(headers)} headers; the tree gives another number"
    one_by_one = re.search(r"Of `mpi/` these are included one by one:\s(.*?)\.\n", page, re.S)[1]
    named_ones = set(re.findall(r"`([\w/]+\.hpp)`", one_by_one))
    for topic, alone in {"mpi": named_ones, "shmem": set(), "upcxx": set(), "nccl": set()}.items():
        others = {name for name in left_out(root / "include/sonde", topic) if "/" not in name}
        yield from (f"{topic}.hpp: the page says otherwise of {name}" for name in sorted(others ^ alone))
    folders = {name.split("/")[0] for name in headers if "/" in name}
    yield from (f"{folder}/ has no {folder}.hpp beside it" for folder in sorted(folders - {"boost", "detail", "gpu"})
                if f"{folder}.hpp" not in headers)


found = list(faults(pathlib.Path(sys.argv[1])))
print("\n".join(found) if found else "the tree is as the page says")
sys.exit(1 if found else 0)
