#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""names.py ROOT

Fails if a name of a type or concept is defined in two public namespaces of include/sonde/, unless all of them are namespaces of
libraries and docs/concepts/Backend.md has the name in its table of shared names; and if that table has a name that is not shared.
"""
import collections
import pathlib
import re
import sys

LIBRARIES = {"mpi", "mpi::io", "shmem", "upcxx", "nccl", "oneccl", "sim", "gpu", "cuda", "hip", "openacc"}
ALSO_OF_THE_CORE = {"group_ref": "of any type; those of libraries refer to one type",
                    "stream": "the pattern of OMB's bandwidth; cudaStream_t and hipStream_t"}
DEFINITION = re.compile(r"^(?:template <.*> )?(?:(?:struct|class|union|enum class|concept) (?:\[\[\w+\]\] )?(\w+)\b(?! ?[;<])|using (\w+) =)")


def definitions(text):
    """(namespace, name) of each type that is not in a namespace `detail`."""
    namespaces = []
    for line in text.splitlines():
        if opened := re.match(r"(?:inline )?namespace ([\w: ]+) \{", line):
            namespaces.append(opened[1])
        elif line.startswith("} // namespace"):
            namespaces.pop()
        elif (found := DEFINITION.match(line)) and namespaces:
            space = re.sub(r"::inline \w+", "", "::".join(namespaces))
            if "detail" not in space.split("::"):
                yield space.removeprefix("sonde").removeprefix("::"), found[1] or found[2]


def with_names(root, text):
    """A header with the file that it includes in the namespace of its library."""
    return re.sub(r"^#include <(sonde/gpu/names\.inc)>", lambda found: (root / "include" / found[1]).read_text(), text, flags=re.M)


def faults(root):
    spaces = collections.defaultdict(set)
    for path in (root / "include/sonde").rglob("*.hpp"):
        for space, name in definitions(with_names(root, path.read_text())):
            spaces[name].add(space)
    if len(spaces) < 200:
        yield f"only {len(spaces)} types are found"
    page = (root / "docs/concepts/Backend.md").read_text()
    section = page[page.index("\n## Shared names"):]
    rows = re.findall(r"^\| (`[^|]*) \|", section, re.M)
    shared = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    for name, where in sorted(spaces.items()):
        if len(where) > 1 and not (where <= LIBRARIES and name in shared or name in ALSO_OF_THE_CORE):
            yield f"{name} is defined in {', '.join('sonde::' + space for space in sorted(where))}"
    yield from (f"{name} of docs/concepts/Backend.md is not shared" for name in sorted(shared) if len(spaces[name]) < 2)


found = list(faults(pathlib.Path(sys.argv[1])))
print("\n".join(found) if found else "no other name of a type is defined twice")
sys.exit(1 if found else 0)
