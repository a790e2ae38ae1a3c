#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Writes the man pages of programs from their help texts, by help2man.

usage: man_pages.py HELP2MAN VERSION STAMP (TOOL | LINKS)...

LINKS is a file of program names, each of which is a link beside it. The pages are in the folder `man` beside STAMP.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


def said(program, option):
    done = subprocess.run([program, option], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"{program} {option}: status {done.returncode}: {done.stderr}")
    return done.stdout


def title(program):
    """What the program does, in a line, for NAME: OMB's title, IMB's component, or the beginning of the tool's help."""
    if program.name.startswith("osu_"):
        return re.sub(r"^# | v[\d.]+$", "", said(program, "--version").strip().splitlines()[0])
    if program.name.startswith("IMB-"):
        return f"component {program.name.removeprefix('IMB-')} of the Intel MPI Benchmarks, measured by Sonde"
    text = re.sub(r"^Usage: .*\n(?: {7}.*\n)*", "", said(program, "--help"))
    sentence = " ".join(re.match(r"[^,.:]*", text)[0].split())
    return sentence[0].lower() + sentence[1:]


def hyphenated(name):
    return name.replace("-", r"\-")


def other_tools(program):
    rows = [line.split() for line in (HERE.parent / "programs.txt").read_text().splitlines()]
    names = [name for row in rows if row[0] == "tools" for name in row[2:] if name != program]
    return ",\n".join(f".BR {hyphenated(name)} (1)" for name in names)


def write_page(help2man, version, program, folder):
    suite = "osu" if program.name.startswith("osu_") else "imb" if program.name.startswith("IMB-") else "tools"
    seen = (HERE / f"{suite}.h2m").read_text().replace("@NAME@", hyphenated(program.name)).replace("@TOOLS@", other_tools(program.name))
    with tempfile.NamedTemporaryFile("w", suffix=".h2m") as include:
        include.write(seen)
        include.flush()
        subprocess.run([help2man, "--no-info", "--section=1", f"--manual=Sonde {version}", f"--source=Sonde {version}",
                        f"--version-string={version}", f"--name={title(program)}", f"--include={include.name}",
                        "--help-option=" + ("-help" if suite == "imb" else "--help"),
                        f"--output={folder / (program.name + '.1')}", program], check=True)


def main(help2man, version, stamp, *programs):
    os.environ.setdefault("OMPI_MCA_pml", "ob1") # or Open MPI asks libraries of fabrics for devices: most of its start
    folder = pathlib.Path(stamp).parent / "man"
    folder.mkdir(exist_ok=True)
    all_programs = []
    for path in map(pathlib.Path, programs):
        all_programs += [path.parent / name for name in path.read_text().split()] if path.suffix == ".links" else [path]
    with concurrent.futures.ThreadPoolExecutor(4) as pool: # a start of MPI waits more than it computes
        for page in [pool.submit(write_page, help2man, version, program.absolute(), folder) for program in all_programs]:
            page.result()
    pathlib.Path(stamp).write_text("".join(f"{program.name}\n" for program in all_programs))


main(*sys.argv[1:])
