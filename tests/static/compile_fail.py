#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Code that must not compile, and the first message of the compiler about it.

usage: compile_fail.py CASES INCLUDE_FOLDER COMPILER [FLAG...]

CASES is a file of cases, one after the other:

    // case NAME: FLAGS => TEXT      flags beside those given (may be none); what the first error or warning line must contain,
    ...                              or `compiles`, without any message
    // form FORM: FLAGS              a source with the word MEMBER
    ...
    // row FORM: NAME: TEXT_OF_MEMBER => TEXT    the case of a form with this member

Folders in flags are beside CASES. The first message comes in the first SHOWN lines, and no more than LINES lines come.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SHOWN = 16  # lines of a compiler's output, and in these its first message
LINES = 60
CORE = "#include <sonde/sonde.hpp>\n"
MESSAGE = re.compile(r"(?:fatal )?error:|warning:")


def cases(path):
    """[(name, flags, text, source)] of a file."""
    parts = re.split(r"^// (case|form|row) (.*)$", open(path).read(), flags=re.M)[1:]
    found, forms = [], {}
    for kind, title, source in zip(*[iter(parts)] * 3):
        if kind == "form":
            form, flags = re.fullmatch(r"(\w+):? ?(.*)", title).groups()
            forms[form] = flags.split(), source
        elif kind == "case":
            name, flags, text = re.fullmatch(r"(.*?): ?(.*?) ?=> (.*)", title).groups()
            found.append((name, flags.split(), text, source))
        else:
            form, name, member, text = re.fullmatch(r"(\w+): (.*?): (.*) => (.*)", title).groups()
            flags, source = forms[form]
            found.append((f"{form}, {name}", flags, text, source.replace("MEMBER", member)))
    return found


def failure(folder, command, text, source):
    """The reason why a case fails, or None."""
    found = subprocess.run([*command, "-x", "c++", "-fsyntax-only", "-fdiagnostics-color=never", "-"], input=source, capture_output=True,
                           text=True, cwd=folder)
    lines = found.stderr.splitlines()
    messages = [line for line in lines[:SHOWN] if MESSAGE.search(line)]
    if text == "compiles":
        good = found.returncode == 0 and not found.stderr
    else:
        good = found.returncode != 0 and messages and text in messages[0] and len(lines) <= LINES
    return None if good else "\n".join(lines[:SHOWN]) or "it compiles"


def main():
    path, include, *compiler = sys.argv[1:]
    folder, include = os.path.dirname(os.path.abspath(path)), os.path.abspath(include)
    command = [*compiler, "-std=c++20", f"-I{include}", f"-I{include}/../drawing"]
    bad = 0
    with tempfile.TemporaryDirectory() as precompiled:
        # Most cases include the core, which is compiled once for those without flags of their own.
        core = pathlib.Path(precompiled) / "core.hpp"
        for name, flags, text, source in cases(path):
            if not flags and CORE in source:
                flags = ["-include", core]
                if not core.exists():
                    core.write_text(CORE)
                    subprocess.run([*command, "-x", "c++-header", core, "-o", f"{core}.gch"], check=True)
            why = failure(folder, [*command, *flags], text, source)
            print(f"{'ok' if why is None else 'FAILED'}: {name}")
            if why is not None:
                bad += 1
                print(f"  expected: {text}\n{why}")
    sys.exit(1 if bad else 0)


main()
