#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""hooks.py ROOT

Compares the optional member functions in the table of each concept's page with the concept's list of hooks in detail/hooks.inc:
their names, numbers of arguments and `const`. Prints the differences; exits with 1 if there are any.
"""
import pathlib
import re
import sys

ROW = re.compile(r"hook\(sonde::(\w+), [\w:*]+, (\w+), \(([^)]*)\), (const)?")
CALL = re.compile(r"`\w+\.(\w+)\(([^)`]*)\)`")


def hook(name, arguments, constness):
    return f"{name}, {arguments.count(',') + 1 if arguments else 0} arguments{', const' if constness else ''}"


def of_list(text):
    """{concept: hooks}"""
    found = {}
    for concept, name, arguments, constness in ROW.findall(text):
        found.setdefault(concept, set()).add(hook(name, arguments, constness))
    return found


def of_page(text):
    rows = re.findall(r"^\| (`[^|]*) \| (optional[^|]*)\|", text, re.M)
    return {hook(*call, "const" in meaning.split(":")[0]) for calls, meaning in rows for call in CALL.findall(calls)}


def faults(root):
    lists = of_list((root / "include/sonde/detail/hooks.inc").read_text())
    if not lists:
        yield "there is no list of hooks"
    for concept, hooks in lists.items():
        page = of_page((root / f"docs/concepts/{concept}.md").read_text())
        yield from (f"docs/concepts/{concept}.md has no {one}" for one in sorted(hooks - page))
        yield from (f"docs/concepts/{concept}.md has {one}, which is not in the list" for one in sorted(page - hooks))


found = list(faults(pathlib.Path(sys.argv[1])))
print("\n".join(found) if found else "pages have the hooks of the lists")
sys.exit(1 if found else 0)
