#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""tutorial.py ROOT

Fails if the tables of docs/tutorial.md lack a program of examples/tutorial or a page of docs/tutorial, or have another one; if
a page does not lead to the next one of the tables; or if `ninja tutorial` is declared before the last of its programs.
"""
import pathlib
import re
import sys


def differences(expected, found, where):
    yield from (f"docs/tutorial.md: {name} is not in the tables" for name in sorted(expected - found))
    yield from (f"docs/tutorial.md: {name} is not in {where}" for name in sorted(found - expected))


def without_next(root, pages):
    for page, following in zip(pages, [*pages[1:], None]):
        path = root / f"docs/tutorial/{page}.md"
        last = path.read_text().rstrip("\n").split("\n\n")[-1] if path.exists() else ""
        leads = re.findall(r"\((\w+)\.md\)", last)
        if leads != ([following] if following else []) or not last.endswith("[Tutorial](../tutorial.md)."):
            yield f"docs/tutorial/{page}.md: the last paragraph does not lead to {following or 'the tutorial'}"


def main():
    root = pathlib.Path(sys.argv[1])
    folder = root / "examples/tutorial"
    rows = [line for line in (root / "docs/tutorial.md").read_text().splitlines() if line.startswith("| [")]
    pages = [page for row in rows for page in re.findall(r"^\| \[[^]]+\]\(tutorial/(\w+)\.md\) \|", row)]
    programs = {f"tutorial_{file.stem}" for file in folder.glob("*.cpp")}
    programs |= {f"tutorial_{part.name}" for part in folder.iterdir() if part.is_dir()}
    faults = [*differences(programs, set(re.findall(r"`(tutorial_\w+)`", "\n".join(rows))), "examples/tutorial"),
              *differences({page.stem for page in (root / "docs/tutorial").glob("*.md")}, set(pages), "docs/tutorial"),
              *without_next(root, pages)]
    build = (folder / "meson.build").read_text()
    if build.rindex("tutorial_programs +=") > build.index("alias_target('tutorial'"):
        faults.append("examples/tutorial/meson.build: the target is declared before its last program")
    print("\n".join(faults) if faults else f"{len(programs)} programs, {len(pages)} pages")
    return 1 if faults or not programs or not pages else 0


sys.exit(main())
