#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""tests_tree.py ROOT

Fails if tests/ does not mirror include/, drawing/ and examples/:
- a folder of tests/ is called like a topic of include/sonde/, like drawing/ or a folder of examples/, or docs/design.md has a row for it;
- a folder of tests/unit/ is called like a topic; a test whose name starts with a header's is in the folder of that header, and a
  test outside all folders is called like a header without a folder;
- a folder below that of a folder of examples/ is called like one there;
- a folder of tests/ can be left out: another one's meson.build names its variables and files only where it asks, by
  is_variable() or fs.exists(), whether they are there. All may use launcher/, which starts programs.
"""
import collections
import os
import pathlib
import re
import sys

COMMENT_OR_STRING = re.compile(r"'''.*?'''|'(?:\\.|[^'\\\n])*'|#[^\n]*", re.S)


def topics(include):
    """The headers' names, by topic: x for x.hpp and for all headers in x/."""
    names = collections.defaultdict(set)
    for header in include.rglob("*.hpp"):
        topic = header.relative_to(include).parts[0].removesuffix(".hpp")
        names[topic] |= {topic, header.stem} if len(header.relative_to(include).parts) < 3 else {topic}
    return names


def own_topics(test, names):
    """The topics with the longest header's name with which the test's name starts."""
    words = test.stem.split("_")
    for length in range(len(words), 0, -1):
        if found := {topic for topic, headers in names.items() if "_".join(words[:length]) in headers}:
            return found
    return set()


def folders_of(path):
    return {p.name for p in path.iterdir() if p.is_dir() and p.name != "__pycache__"}


def misplaced(root):
    names = topics(root / "include/sonde") | topics(root / "drawing/sonde")
    first_cells = re.findall(r"^\| ((?:`tests/\w+/`(?:, )?)+) \|", (root / "docs/design.md").read_text(), re.M)
    rows = set(re.findall(r"tests/(\w+)/", " ".join(first_cells)))
    examples = folders_of(root / "examples")
    tests = folders_of(root / "tests")
    yield from (f"tests/{f}/ is no topic, no folder of examples/, and has no row in docs/design.md"
                for f in sorted(tests - set(names) - examples - rows))
    yield from (f"docs/design.md has a row for tests/{f}/, which is not there" for f in sorted(rows - tests))
    unit = root / "tests/unit"
    yield from (f"tests/unit/{f}/ is no topic" for f in sorted(folders_of(unit) - set(names) - {"pch"}))
    for test in sorted(unit.rglob("*.cpp")):
        folder = test.relative_to(unit).parts[0] if test.parent != unit else test.stem
        if folder not in (own_topics(test, names) or {folder}) or folder not in names:
            yield f"{test.relative_to(root)} is in the folder of another header"
    for folder in sorted(tests & examples - {"gpu"}):
        yield from (f"tests/{folder}/{f}/ is no folder of examples/{folder}/"
                    for f in sorted(folders_of(root / "tests" / folder) - folders_of(root / "examples" / folder)))


def assigned(text):
    return set(re.findall(r"^ *(\w+) \+?= ", text, re.M))


def loop_variables(text):
    return set(re.findall(r"\w+", " ".join(re.findall(r"foreach ([\w, ]+) :", text))))


def used(text):
    """Names that are no methods and no keywords of arguments."""
    return set(re.findall(r"(?<![\w.])[a-z]\w*(?!\w|: )", text)) - loop_variables(text)


def others_files(root, path, text):
    """Folders of tests/ whose files a build file or source names by a relative path."""
    for name in re.findall(r"""['"]((?:\.\./)+\w[\w./]*)['"]""", text):
        target = pathlib.Path(os.path.normpath(path.parent / name))
        if root / "tests" in target.parents and target.parent != root / "tests":
            yield target.relative_to(root / "tests").parts[0]


def dependent(root):
    texts, needs = collections.defaultdict(str), collections.defaultdict(set)
    for path in sorted((root / "tests").rglob("*")):
        folder = path.relative_to(root / "tests").parts[0]
        if path.name == "meson.build" and path.parent.name not in ("tests", "app") or path.suffix in (".cpp", ".hpp"):
            text = path.read_text()
            texts[folder] += text if path.name == "meson.build" else ""
            needs[folder] |= set(others_files(root, path, text)) - {folder, "launcher"}
    code = {folder: COMMENT_OR_STRING.sub("''", text) for folder, text in texts.items()}
    builds = [root / "meson.build", root / "tests/meson.build", *(root / "examples").rglob("meson.build"), *(root / "dependencies").rglob("meson.build")]
    known = set().union(*(assigned(build.read_text()) for build in builds), assigned(code["launcher"]))
    for folder, text in code.items():
        for other in sorted(set(code) - {folder, "launcher"}):
            names = assigned(code[other]) - known - assigned(text)
            asks = names & set(re.findall(r"'(\w+)'", " ".join(re.findall(r"is_variable\((.*)\)", texts[folder]))))
            asks |= set(re.findall(rf"fs\.(?:exists|is_dir)\('(?:\.\./)+{other}['/]", texts[folder]))
            for name in sorted(names & used(text) if not asks else ()):
                yield f"tests/{folder} uses {name} of tests/{other}, and does not ask whether it is there"
            if other in needs[folder] and not asks:
                yield f"tests/{folder} uses files of tests/{other}, and does not ask whether they are there"


root = pathlib.Path(sys.argv[1]).resolve()
found = [*misplaced(root), *dependent(root)]
print("\n".join(found) if found else "tests/ mirrors include/ and examples/")
sys.exit(1 if found else 0)
