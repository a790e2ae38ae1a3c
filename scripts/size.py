#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""size.py [ROOT]

Prints how many files and lines the library, its programs and its tests have, and which headers are short or long.
"""
import pathlib
import sys

SHORT, LONG = 20, 400
CODE = {".hpp", ".cpp", ".cu"}


def lines(file):
    return len(file.read_text().splitlines())


def summary(files):
    return f"{len(files)} files, {sum(map(lines, files))} lines"


def main(root):
    headers = sorted((root / "include").rglob("*.hpp"))
    in_root = [h for h in headers if h.parent.name == "sonde"]
    print(f"include: {summary(headers)}; {len(in_root)} of the headers are in include/sonde")
    for folder in "drawing", "examples", "tests":
        print(f"{folder}: {summary([f for f in sorted((root / folder).rglob('*')) if f.suffix in CODE])}")
    for kind, found in ("short", [h for h in headers if lines(h) < SHORT]), ("long", [h for h in headers if lines(h) > LONG]):
        if found:
            print(f"{kind} headers:", ", ".join(f"{h.relative_to(root / 'include')} ({lines(h)})" for h in found))


main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "."))
