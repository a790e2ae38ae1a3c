#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""sbom.py ROOT BUILD FILE

Fails if FILE, the bill of materials of a build, is no SPDX 2.3 in JSON, has another version or license of Sonde than the
sources, or does not have each library that Meson found, by its version.
"""
import json
import pathlib
import re
import subprocess
import sys

root, build, file = map(pathlib.Path, sys.argv[1:])
MPI = {"ompi-cxx": "Open MPI", "mpich": "MPICH", "simgrid": "SimGrid"}
OF_THE_SYSTEM = {"threads", "dl"}
DOCUMENT = {"spdxVersion": r"SPDX-2\.3", "dataLicense": r"CC0-1\.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "sonde-[0-9.]+",
            "documentNamespace": r"https://[^#\s]+"}
PACKAGE = {"SPDXID": "SPDXRef-[A-Za-z0-9.-]+", "name": ".+", "downloadLocation": "NOASSERTION", "homepage": r"NOASSERTION|https?://\S+",
           "licenseConcluded": ".+", "licenseDeclared": ".+", "copyrightText": ".+"}
OF = {"DEPENDENCY_OF", "OPTIONAL_DEPENDENCY_OF", "TEST_DEPENDENCY_OF"}


ROWS = [line.split(" | ") for line in (root / "packaging/sbom/dependencies.txt").read_text().splitlines() if not line.startswith("#")]


def license_ids():
    """Those of SPDX, of REUSE's list; nothing without it."""
    lists = pathlib.Path("/usr/lib/python3/dist-packages/reuse/resources")
    return {known[key] for kind, key in (("licenses", "licenseId"), ("exceptions", "licenseExceptionId")) if (lists / f"{kind}.json").is_file()
            for known in json.loads((lists / f"{kind}.json").read_text())[kind]}


def form_faults(sbom):
    for about, keys in [(sbom, DOCUMENT)] + [(package, PACKAGE) for package in sbom["packages"]]:
        yield from (f"{about.get('name')}: {key} is {about.get(key)}" for key, form in keys.items() if not re.fullmatch(form, str(about.get(key, ""))))
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", sbom["creationInfo"]["created"]):
        yield f"the date is {sbom['creationInfo']['created']}"
    yield from (f"the creator is {name}" for name in sbom["creationInfo"]["creators"] if not re.match("(Organization|Tool): ", name))
    if known := license_ids():
        words = {word for row in ROWS for word in re.split(" (?:AND|OR|WITH) ", row[2])} - {"NOASSERTION"}
        yield from (f"{word} is no license of SPDX" for word in sorted(words - known))


def relation_faults(sbom):
    ids = [package["SPDXID"] for package in sbom["packages"]]
    related = [(one["spdxElementId"], one["relationshipType"], one["relatedSpdxElement"]) for one in sbom["relationships"]]
    if len(set(ids)) != len(ids):
        yield "two packages have one name"
    if [one for one in related if one[1] == "DESCRIBES"] != [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-sonde")]:
        yield "the document does not describe Sonde"
    others = sorted((element, of) for element, relation, of in related if relation in OF)
    if others != sorted((name, "SPDXRef-sonde") for name in ids if name != "SPDXRef-sonde") or len(others) != len(related) - 1:
        yield f"the relations are {related}"


def contents_faults(sbom):
    named = {package["name"]: package for package in sbom["packages"]}
    version = re.search('^#define SONDE_VERSION "(.*)"$', (root / "include/sonde/version.hpp").read_text(), re.M)[1]
    own = named["sonde"]
    if (own["versionInfo"], own["licenseDeclared"]) != (version, "BSL-1.0") or not (root / "LICENSES/BSL-1.0.txt").is_file():
        yield f"Sonde has {own}"
    said = subprocess.run(["meson", "introspect", "--dependencies", str(build)], capture_output=True, text=True, check=True).stdout
    found = {(re.sub(r"-3\.\d+$", "", one["name"]), one["version"]) for one in json.loads(said)}
    titles = {row[0]: row[1] for row in ROWS} | MPI
    unused = OF_THE_SYSTEM | (set() if "Python" in named else {"pybind11"})
    for name, its_version in sorted((name, its_version) for name, its_version in found if name not in unused):
        if named.get(titles.get(name), {}).get("versionInfo") != its_version:
            yield f"{name} {its_version}, which Meson found, is not in the bill"


bill = json.loads(file.read_text())
faults = [*form_faults(bill), *relation_faults(bill), *contents_faults(bill)]
print("\n".join(faults) if faults else f"{len(bill['packages'])} packages")
sys.exit(1 if faults else 0)
