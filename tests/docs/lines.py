#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""lines.py ROOT

Fails if a line of a page has more than 160 characters, the targets of links not counted, or if the pages have more than
10,400 lines.
"""
import pathlib
import re
import sys

TARGET = re.compile(r"\]\([^)\s]*\)")

root = pathlib.Path(sys.argv[1])
pages = [*root.glob("*.md"), *(page for folder in ("docs", "packaging", "tests/bench") for page in (root / folder).rglob("*.md"))]
lines = {page.relative_to(root): page.read_text().splitlines() for page in sorted(pages)}
found = [f"{page}:{number}: {len(line)} characters" for page, text in lines.items()
         for number, line in enumerate((TARGET.sub("]", line) for line in text), 1) if len(line) > 160]
total = sum(map(len, lines.values()))
found += [f"{total} lines of pages"] if total > 10400 else []
print("\n".join(found) if found else f"{total} lines of {len(lines)} pages")
sys.exit(1 if found or not pages else 0)
