#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""includes.py ROOT

Checks that a reader can compile the code of a page: every <sonde/...> header that a source file of one of its snippets
includes is included in a code block of that page, or named in its text as `<sonde/...>`. Prints page, file and missing
header; exits with 1 if there is any.
"""
import pathlib
import re
import sys

SNIPPET = re.compile(r"<!-- snippet: (\S+?)#\w+ -->")
BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```[ \t]*$", re.M | re.S)
NAMED = re.compile(r"`<(sonde/[^>]+)>`")
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(sonde/[^>]+)>", re.M)


def pages(root):
    return sorted([*root.glob("*.md"), *root.glob("docs/**/*.md")])


def includes(text):
    return dict.fromkeys(INCLUDE.findall(text))  # each once, in order


def faults_of(page, root):
    text = page.read_text()
    shown = {*includes("\n".join(BLOCK.findall(text))), *NAMED.findall(text)}
    for path in dict.fromkeys(SNIPPET.findall(text)):
        source = root / path
        if not source.is_file():
            yield f"{path}: no such file"
            continue
        for header in includes(source.read_text()):
            if header not in shown:
                yield f"{path}: <{header}>"


def main():
    root = pathlib.Path(sys.argv[1])
    all_pages = pages(root)
    faults = [f"{page.relative_to(root)}: {fault}" for page in all_pages for fault in faults_of(page, root)]
    print("\n".join(faults) if faults else f"{len(all_pages)} pages")
    return 1 if faults or not all_pages else 0


sys.exit(main())
