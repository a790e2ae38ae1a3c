#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""release.py ROOT

Fails if a file of the release cannot be parsed, has another version than include/sonde/version.hpp, or if a workflow calls
a script that is not there.
"""
import json
import pathlib
import re
import sys

try:
    import yaml
except ModuleNotFoundError:
    print("Python's yaml is not installed")
    sys.exit(77)

root = pathlib.Path(sys.argv[1])


def read(name):
    return (root / name).read_text()


def version_in(pattern, name):
    found = re.search(pattern, read(name), re.M)
    return found and found[1]


def versions():
    """The version of each file that has one."""
    yield "CHANGELOG.md", version_in(r"^## (\S+?)[, ]", "CHANGELOG.md")
    yield "CITATION.cff", yaml.safe_load(read("CITATION.cff"))["version"]
    yield "vcpkg.json", json.loads(read("packaging/vcpkg/sonde/vcpkg.json"))["version"]
    yield "debian/changelog", version_in(r"^sonde \((.*)-\d+\)", "packaging/debian/changelog")
    yield "sonde.def", version_in(r"image\.version (\S+)$", "packaging/apptainer/sonde.def")
    yield "package.py", version_in(r'version\("([\d.]+)", tag="v\1"\)', "packaging/spack/package.py")
    for file in (root / "packaging/easybuild").glob("*.eb"):
        yield file.name, version_in("^version = '(.*)'$", file)
        yield file.name, file.name.split("-")[1]


def faults():
    version = version_in('^#define SONDE_VERSION "(.*)"$', "include/sonde/version.hpp")
    yield from (f"{name} has version {found}, not {version}" for name, found in versions() if found != version)
    for name in (".github/workflows/ci.yml", ".gitlab-ci.yml"):
        jobs = yaml.safe_load(read(name))
        jobs = jobs.get("jobs", jobs)
        if ".ci/run" not in str(jobs["tests"]):
            yield f"{name} does not call .ci/run"
        for script in re.findall(r"(?:\.ci|scripts|packaging)/[\w./]+", str(jobs)):
            if not (root / script).is_file():
                yield f"{name} calls {script}, which is not there"


found = list(faults())
print("\n".join(found) if found else "all files have the version of version.hpp")
sys.exit(1 if found else 0)
