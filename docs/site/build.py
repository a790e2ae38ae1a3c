#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""build.py ROOT OUTPUT [DOXYGEN]

Makes the reference site OUTPUT/html: the `///` comments of include/sonde, README.md and docs/, joined and searchable. Prints
Doxygen's warnings and exits with 1 if there are any.
"""
import pathlib
import re
import shutil
import subprocess
import sys

import headers
import names
import pages


def settings(root, output, version):
    site = root / "docs/site"
    files = " ".join(f'"{path}"' for path in pages.files(root))
    text = (site / "Doxyfile.in").read_text()
    for name, value in {"OUTPUT": output, "INPUT": output / "input", "SITE": site, "VERSION": version, "FILES": files}.items():
        text = text.replace(f"@{name}@", str(value))
    return text


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def with_parts(include, text):
    """A header with the files of the GPU layer that it includes within a namespace or a class."""
    return re.sub(r"^#include <(sonde/gpu/\w+\.inc)>", lambda found: (include / found[1]).read_text(), text, flags=re.M)


def main():
    root, output = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    doxygen = sys.argv[3] if len(sys.argv) > 3 else "doxygen"
    for folder in ("input", "html"):
        shutil.rmtree(output / folder, ignore_errors=True)
    listed = headers.Filter(headers.Concepts(root / "docs/concepts"))
    for path in sorted((root / "include/sonde").rglob("*.hpp")):
        if "detail" not in path.parts:
            write(output / "input" / path.relative_to(root), listed(with_parts(root / "include", path.read_text())))
    for page, text in pages.converted(root):
        write(output / "input" / page, text)
    shutil.copy(root / "docs/site/namespaces.dox", output / "input")
    version = subprocess.run([root / "scripts/version.sh"], check=True, capture_output=True, text=True).stdout.strip()
    write(output / "Doxyfile", settings(root, output, version))
    subprocess.run([doxygen, str(output / "Doxyfile")], check=True)
    names.link(output)
    warnings = (output / "warnings").read_text()
    print(warnings.replace(f"{output}/input/", ""), end="")
    return 1 if warnings else 0


sys.exit(main())
