#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""sbom.py FILE VERSION LICENSE [NAME=VERSION]...

Writes the bill of materials of a build as SPDX 2.3 in JSON: Sonde, and what the build found of dependencies.txt, by name,
with "unknown" for a version that the build cannot tell. The date is that of SOURCE_DATE_EPOCH, or now.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import sys

NAMESPACE = "https://spdx.org/spdxdocs"  # for creators without a website, by SPDX 2.3, 6.5


def package(name, version, license_id, home):
    about = {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-"), "name": name, "downloadLocation": "NOASSERTION",
             "homepage": home, "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": license_id, "copyrightText": "NOASSERTION"}
    return about if version == "unknown" else about | {"versionInfo": version}


def own_package(version, license_id):
    return package("sonde", version, license_id, "NOASSERTION") | {
        "licenseConcluded": license_id, "copyrightText": "Copyright The Sonde developers",
        "supplier": "Organization: The Sonde developers"}


def main(file, version, license_id, *found):
    text = (pathlib.Path(__file__).parent / "dependencies.txt").read_text()
    rows = {row[0]: row[1:] for row in (line.split(" | ") for line in text.splitlines() if not line.startswith("#"))}
    own = own_package(version, license_id)
    packages, relations = [own], [("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
    for name, its_version in sorted(word.split("=", 1) for word in found):
        title, its_license, home, relation = rows[name]
        packages.append(package(title, its_version, its_license, home))
        relations.append((packages[-1]["SPDXID"], relation, own["SPDXID"]))
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", datetime.datetime.now().timestamp()))
    contents = {
        "packages": packages,
        "relationships": [dict(zip(("spdxElementId", "relationshipType", "relatedSpdxElement"), relation)) for relation in relations],
        "creationInfo": {"created": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                         "creators": ["Organization: The Sonde developers", f"Tool: sonde-sbom.py-{version}"]}}
    name = f"sonde-{version}"
    digest = hashlib.sha256(json.dumps(contents).encode()).hexdigest()
    head = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
            "documentNamespace": f"{NAMESPACE}/{name}-{digest}"}
    pathlib.Path(file).write_text(json.dumps(head | contents, indent=2) + "\n")


main(*sys.argv[1:])
