#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""licenses.py ROOT

Fails if a file has no license or cannot be read by REUSE, or if the texts of the license differ.
"""
import pathlib
import shutil
import subprocess
import sys


def text_of(license_file):
    return " ".join(license_file.read_text().split())


root = pathlib.Path(sys.argv[1])
if text_of(root / "LICENSE") != text_of(root / "LICENSES/BSL-1.0.txt"):
    sys.exit("LICENSE and LICENSES/BSL-1.0.txt differ")
debian = (root / "packaging/debian/copyright").read_text().partition("\nLicense: BSL-1.0\n ")[2]
if " ".join(word for word in debian.split() if word != ".") not in text_of(root / "LICENSE"):
    sys.exit("packaging/debian/copyright has another text than LICENSE")
if not shutil.which("reuse"):
    print("reuse is not installed")
    sys.exit(77)
done = subprocess.run(["reuse", "--root", root, "lint"], capture_output=True, text=True)
print(done.stdout, done.stderr)
sys.exit(done.returncode or "ERROR" in done.stderr)
