#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""own_headers.py ROOT

In the suites and the tools, a function that x.cpp defines for other files is declared in x.hpp, where a reader looks
for it. Members of a class, `main`, operators, and functions with a name of C are left out.
Relies on clang-format: a definition begins at the margin and ends with `{`. Prints the others; exits with 1 if there are any.
"""
import pathlib
import re
import sys

FOLDERS = "examples/suite", "examples/osu", "examples/imb", "examples/tools"
# A definition: a type, a name without `::` before it, and parameters.
DEFINITION = re.compile(r"^(?!static |inline |constexpr |template|extern |namespace|struct |class |enum |using |else)"
                        r"(?:\[\[\w+\]\] )?[\w:][\w:<>,*&\[\] ]*?[ *&](?<!::)(\w+)\((?:[^;{}]|\{\})*\)(?: noexcept)? \{", re.M)


def without_local(text):
    """The text without unnamed namespaces and functions with a name of C."""
    text = re.sub(r"^namespace \{\n.*?^\} // namespace$", "", text, flags=re.M | re.S)
    return re.sub(r'^extern "C" \{\n.*?^\} // extern "C"$', "", text, flags=re.M | re.S)


def faults(root):
    seen = 0
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.cpp")):
        own = path.with_suffix(".hpp")
        declared = set(re.findall(r"\b(\w+)\(", own.read_text())) if own.exists() else set()
        defined = [name for name in DEFINITION.findall(without_local(path.read_text())) if name not in ("main", "new", "delete")]
        seen += len(defined)
        yield from (f"{path.relative_to(root)}: {name} is not declared in {own.name}" for name in defined if name not in declared)
    if not seen:
        yield "no function was found"


found = list(faults(pathlib.Path(sys.argv[1])))
print("\n".join(found) if found else "each function is declared in the header of its file")
sys.exit(1 if found else 0)
