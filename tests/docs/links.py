#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""links.py ROOT

Fails if a link of a page, its anchor, or a path of the project in its code has no target.
"""
import functools
import pathlib
import re
import sys

LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
NAMED = re.compile(r"`((?:include|examples|tests|scripts|docs|cmake|packaging)/[\w./-]+)`")


def prose(page):
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.M | re.S)


@functools.cache
def anchors(page):
    """The headings of a page as GitHub makes anchors of them; a repeated one has a number."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.M):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        number = 0
        while (anchor := f"{name}-{number}" if number else name) in found:
            number += 1
        found.add(anchor)
    return found


def faults_of(page, root):
    text = prose(page)
    for path, anchor in LINK.findall(text):
        target = (page.parent / path).resolve() if path else page.resolve()
        if not target.exists():
            yield f"{page}: {path}"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"{page}: {path}#{anchor}"
    yield from (f"{page}: {name}" for name in NAMED.findall(text) if not (root / name).exists())


def main():
    root = pathlib.Path(sys.argv[1])
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("packaging/*.md")]
    faults = [fault for page in pages for fault in faults_of(page, root)]
    print("\n".join(faults) if faults else f"{len(pages)} pages")
    return 1 if faults or not pages else 0


sys.exit(main())
