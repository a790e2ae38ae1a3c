#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""functions.py ROOT

Finds functions of C++ whose body has more than MOST lines, in the headers, the programs and the Python extension. Rows of a
table in a body do not count. Relies on clang-format: a body begins with a line that ends with `{` and ends with the next `}`
of its indentation. Prints them; exits with 1 if there are any.
"""
import pathlib
import re
import sys

MOST = 40
FOLDERS = "include", "drawing", "examples", "bindings/python"
BEGIN = re.compile(r"^( *)(?! )(?!//|(?:if|else|for|while|switch|do|try|catch|namespace|class|struct|union|enum|extern)\b|\}).*[)\w] ?(?:const|noexcept)? \{$")
ROW = re.compile(r"^\s*(?:\{.*\}|[A-Z_]+\(.*\)),?(?:\s*//.*)?$")


def long_functions(text):
    """(line, lines of the body) of each function that is too long."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        begin = BEGIN.match(line)
        if not begin or "(" not in "".join(lines[max(0, at - 3):at + 1]):
            continue
        end = next((i for i in range(at + 1, len(lines)) if re.match(rf"^ {{0,{len(begin[1])}}}\}}", lines[i])), None)
        body = [one for one in lines[at + 1:end] if not ROW.match(one)]
        if len(body) > MOST:
            yield at + 1, len(body)


def faults(root):
    files = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in (".hpp", ".cpp"))
    for path in files:
        for line, n in long_functions(path.read_text()):
            yield f"{path.relative_to(root)}:{line}: {n} lines"


found = list(faults(pathlib.Path(sys.argv[1])))
print("\n".join(found) if found else f"no function has more than {MOST} lines")
sys.exit(1 if found else 0)
