#!/usr/bin/python3
# SPDX-License-Identifier: BSL-1.0
"""release.py ROOT

Fails if a file of the release cannot be parsed, has another version than include/sonde/version.hpp, or if a workflow
- calls a script that is not there, or has not a job for each stage of scripts/test.sh --all;
- has a job of more than 45 minutes, or an action that is not fixed by its hash with a version.
It also fails if a workflow has more rights than to read, if a wrap is not fixed by a hash, and if the repository has a binary file that is no picture.
"""
import json
import pathlib
import re
import subprocess
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


def workflow_faults(name, stages_of, minutes_of):
    """Faults of a pipeline: `stages_of` the job of the tests, `minutes_of` a job and the pipeline."""
    pipeline = yaml.safe_load(read(name))
    jobs = pipeline.get("jobs") or {job: what for job, what in pipeline.items() if job != "default"}
    stages = re.search("^stages='(.*)'$", read("scripts/test.sh"), re.M)[1].split()
    if stages_of(jobs["tests"]) != stages or not re.search(r"\.ci/run \$\W*(matrix\.stage|STAGE)\b", str(jobs["tests"])):
        yield f"{name} does not call .ci/run with each of {stages}"
    for job, what in jobs.items():
        if minutes_of(what, pipeline) > 45:
            yield f"{name}: {job} may take more than 45 minutes"
        for script in re.findall(r"(?:\.ci|scripts|packaging)/[\w./]+", str(what)):
            if not (root / script).is_file():
                yield f"{name} calls {script}, which is not there"
    for action in re.findall(r"uses: *(.*)", read(name)):
        if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[\d.]+", action):
            yield f"{name}: {action} is not fixed by its hash, with the version behind it"


def supply_faults():
    """What SECURITY.md excludes."""
    workflow = yaml.safe_load(read(".github/workflows/ci.yml"))
    rights = [workflow["permissions"], *(job["permissions"] for job in workflow["jobs"].values() if "permissions" in job)]
    if rights != [{"contents": "read"}] or re.search("pull_request_target|workflow_run|secrets", read(".github/workflows/ci.yml")):
        yield f"ci.yml may do more than read: {rights}"
    for wrap in sorted((root / "subprojects").glob("*.wrap")):
        if not re.search("^# v[0-9.]+\nrevision = [0-9a-f]{40}$", wrap.read_text(), re.M):
            yield f"{wrap.name} is not fixed by a hash, with the version above it"
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True).stdout.split("\0")
    yield from (f"{name} is a binary file" for name in listed if name and not name.endswith(".png") and (root / name).is_file() and b"\0" in (root / name).read_bytes())


def faults():
    version = version_in('^#define SONDE_VERSION "(.*)"$', "include/sonde/version.hpp")
    yield from (f"{name} has version {found}, not {version}" for name, found in versions() if found != version)
    yield from supply_faults()
    yield from workflow_faults(".github/workflows/ci.yml", lambda job: job["strategy"]["matrix"]["stage"],
                               lambda job, _: job.get("timeout-minutes", 360))
    yield from workflow_faults(".gitlab-ci.yml", lambda job: job["parallel"]["matrix"][0]["STAGE"],
                               lambda job, all_jobs: int(job.get("timeout", all_jobs["default"]["timeout"]).removesuffix("m")))


found = list(faults())
print("\n".join(found) if found else "all files have the version of version.hpp")
sys.exit(1 if found else 0)
