#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""links.py ROOT

Fails if a link of a page, or a path of the project in its code, has no target.
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
NAMED = re.compile(r"`((?:include|examples|tests|scripts|docs|cmake)/[\w./-]+)`")


def main():
    root = pathlib.Path(sys.argv[1])
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    faults = []
    for page in pages:
        text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)
        faults += [f"{page}: {link}" for link in LINK.findall(text) if not (page.parent / link).exists()]
        faults += [f"{page}: {name}" for name in NAMED.findall(text) if not (root / name).exists()]
    print("\n".join(faults) if faults else f"{len(pages)} pages")
    return 1 if faults or not pages else 0


sys.exit(main())
