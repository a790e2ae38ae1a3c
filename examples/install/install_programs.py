#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Installs links by which the executables of the suites run their programs, man pages, and completions for bash.

Meson runs it after it has installed the executables. A program of the suites is in a folder as OMB and IMB install it,
and in the folder of the tools.
"""
import argparse
import os
import pathlib
import shutil

PROGRAMS = pathlib.Path(__file__).parent.parent / "programs.txt"


def folders():
    """The folder below libexec/sonde of each program."""
    rows = [line.split() for line in PROGRAMS.read_text().splitlines() if not line.startswith("#")]
    return {name: row[1] for row in rows for name in row[2:]}


def link(path, to):
    """Make a relative link, in place of what was installed before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink() or path.exists():
        path.unlink()
    path.symlink_to(os.path.relpath(to, path.parent))


def main():
    parser = argparse.ArgumentParser()
    for option in ("--bin", "--suites", "--man", "--pages", "--completions"):
        parser.add_argument(option, type=pathlib.Path)
    parser.add_argument("--tools", nargs="*", default=[])
    parser.add_argument("--links", nargs="*", type=pathlib.Path, default=[])
    asked = parser.parse_args()
    prefix = pathlib.Path(os.environ["MESON_INSTALL_DESTDIR_PREFIX"])
    staged = pathlib.Path(os.environ.get("DESTDIR") or "/")

    def place(path):
        return staged / path.relative_to("/") if path.is_absolute() else prefix / path

    suites, folder_of = [], folders()
    for stamp in asked.links:
        executable = place(asked.suites) / stamp.stem.split("_")[0] / stamp.stem
        for name in stamp.read_text().split():
            suites.append(name)
            link(place(asked.bin) / name, executable)
            link(place(asked.suites) / folder_of[name] / name, executable)
    names = asked.tools + suites
    if asked.pages:
        for name in names:
            man = place(asked.man) / "man1"
            man.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(asked.pages / f"{name}.1", man / f"{name}.1")
    for file, completed in (("sonde", asked.tools), ("osu-imb", suites)):  # packages may have one part without the other
        completions = place(asked.completions)
        if completed:
            completions.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(pathlib.Path(__file__).parent / "completion.bash", completions / file)
        for name in completed:
            link(completions / name, completions / file)
    print(f"Installed {len(names)} programs by their names" + (", with man pages" if asked.pages else ""))


main()
