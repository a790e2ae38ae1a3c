#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""snippets.py [--check] ROOT

Puts code from compiled sources into the pages: below `<!-- snippet: path#name -->` a page's code block becomes what
stands in that file, seen from ROOT, between the comments `[name]` and `[/name]`, moved to the left. With --check changes
nothing, and fails where a page shows other code, or a source has a region that no page shows.
"""
import pathlib
import re
import sys
import textwrap

SHOWN = re.compile(r"(<!-- snippet: (?P<path>\S+?)#(?P<name>\w+) -->\n```(?:cpp|c|fortran|python)\n)(?P<code>.*?)(?P<end>^```$)", re.M | re.S)
REGION = re.compile(r"^[ \t]*(?://|#|!) \[(\w+)\]\n(.*?)^[ \t]*(?://|#|!) \[/\1\]$", re.M | re.S)
MARKER = re.compile(r"^[ \t]*(?://|#|!) \[/?\w+\]\n", re.M)
SOURCES = {".cpp", ".hpp", ".c", ".h", ".f90", ".py"}


def pages(root):
    return sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")])


def regions(root):
    found = {}
    for folder in "examples", "tests":
        for source in sorted(path for path in (root / folder).rglob("*") if path.suffix in SOURCES):
            for name, code in REGION.findall(source.read_text()):
                found[str(source.relative_to(root)), name] = textwrap.dedent(MARKER.sub("", code)).strip("\n") + "\n"
    return found


def filled(text, code_of, used):
    def fill(match):
        key = match["path"], match["name"]
        if key not in code_of:
            sys.exit(f"no region {key[1]} in {key[0]}")
        used.add(key)
        return match[1] + code_of[key] + match["end"]

    return SHOWN.sub(fill, text)


def main():
    root = pathlib.Path(sys.argv[-1])
    check = "--check" in sys.argv
    code_of, used, faults = regions(root), set(), []
    for page in pages(root):
        before = page.read_text()
        after = filled(before, code_of, used)
        if before.count("<!-- snippet:") != len(SHOWN.findall(before)):
            faults.append(f"{page}: a snippet's comment without a code block below it")
        if after != before and check:
            faults.append(f"{page}: shows other code than is compiled; run scripts/snippets.py .")
        elif after != before:
            page.write_text(after)
    faults += [f"{path}: no page shows the region {name}" for path, name in sorted(code_of.keys() - used)]
    print("\n".join(faults) if faults else f"{len(used)} snippets")
    return 1 if faults else 0


sys.exit(main())
