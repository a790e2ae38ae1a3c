#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Stands for upcc of Berkeley UPC, with the options that the build uses, for one source file: see osu_upc's.

It translates the constructs of that file into C, and refuses all others; it is no compiler of UPC. The runtime
(runtime.cpp) is an object of the link line.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SWITCHES = ("-c", "-O", "-extern-main", "-uses-mpi", "-require-size", "-print-include-dir", "-print-mpicc")
VALUES = ("-shared-heap", "-network")

# static shared TYPE* NAME[N];
POINTERS = re.compile(r"\bstatic\s+shared\s+(\w+)\s*\*\s*(\w+)(\[\w+\]);")
# &NAME[i][j], alone or cast to the address of the thread's own memory
ELEMENT = re.compile(r"(\(\s*\w+\s*\*\s*\)\s*)?&\s*(\w+)(\[\w+\])\[(\w+)\]")
KEYWORDS = re.compile(r"\b(shared|strict|relaxed|upc_(forall|notify|wait|\w*sizeof|lock\w*|poll))\b|#\s*pragma")


def translated(text):
    """C of a text in UPC. Raises ValueError for other constructs than those above, MYTHREAD, THREADS, upc_barrier and
    upc_fence, which are macros, and calls of functions."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S)
    types = {name: kind for kind, name, _ in POINTERS.findall(text)}

    def element(found):
        cast, name, which, index = found.groups()
        if name not in types:
            return found[0]
        pointer = f"fake_upc_element({name}{which}, {index}, sizeof({types[name]}))"
        return f"{cast}fake_upc_private({pointer})" if cast else pointer

    text = ELEMENT.sub(element, POINTERS.sub(r"static upc_shared_pointer \2\3;", text))
    for number, line in enumerate(text.splitlines(), 1):
        if found := KEYWORDS.search(line):
            raise ValueError(f"line {number}: no translation of {found[0]}: {line.strip()}")
    return text


def read(arguments):
    """The switches, the values, what follows -o, the further arguments of the compiler and the linker, and the files."""
    switches, values, output, further, files = set(), {}, None, [], []
    words = iter(arguments)
    for word in words:
        name, _, value = word.partition("=")
        if word in SWITCHES:
            switches.add(word)
        elif name in VALUES:
            values[name] = value
        elif word == "-o":
            output = next(words)
        elif word.startswith(("-Wc,", "-Wl,")):
            further.append(word[4:])
        elif word.startswith("-"):
            sys.exit(f"upcc: unrecognized flag '{word}'")
        else:
            files.append(word)
    return switches, values, output, further, files


def main(arguments):
    switches, values, output, further, files = read(os.environ.get("UPCC_FLAGS", "").split() + arguments)
    if "-print-include-dir" in switches:
        return print(HERE)
    if "-print-mpicc" in switches:
        return print("mpicc")
    with tempfile.TemporaryDirectory() as folder:
        command = [os.environ.get("CXX", "c++"), *further, "-o", output] # a compiler of C, too
        if "-c" in switches:
            given, = files
            try:
                code = translated(pathlib.Path(given).read_text())
            except ValueError as wrong:
                sys.exit(f"upcc: {given}: {wrong}")
            source = pathlib.Path(folder, "translated.c")
            source.write_text(f'#line 1 "{given}"\n{code}')
            command += ["-x", "c", "-std=c99", "-fPIC", "-Wall", "-Wextra", "-Werror", "-I", HERE, "-I", pathlib.Path(given).resolve().parent, "-c", source]
        else:
            if not {"-extern-main", "-uses-mpi"} <= switches:
                sys.exit("upcc: main is no function of UPC, and it uses MPI: -extern-main, -uses-mpi")
            source = pathlib.Path(folder, "heap.cpp")
            source.write_text(f'extern "C" char const fake_upc_shared_heap[] = "{values.get("-shared-heap", "64MB")}";\n')
            command += [source, *files]
        sys.exit(subprocess.run(command, check=False).returncode)


if __name__ == "__main__":
    main(sys.argv[1:])
