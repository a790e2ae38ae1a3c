#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Lines of record files, as programs write them, against docs/records.schema.json."""
import copy
import json
import os
import re
import subprocess
import sys
import unittest

from driver import TOOLS, InFolder, read

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

DOCS = os.environ["TOOLS_DOCS"]
MPI_RUN = os.environ.get("TOOLS_MPI_RUN")
OSU_LATENCY = os.environ.get("TOOLS_OSU_LATENCY")
SCHEMA = json.loads(read(f"{DOCS}/records.schema.json"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def every_line():
    done = subprocess.run([os.environ["TOOLS_EVERY_LINE"]], capture_output=True, text=True, timeout=400, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def objects(value):
    """All objects within a value whose keys are names of the schema."""
    if isinstance(value, dict):
        yield value
        for key, part in value.items():
            yield from objects(part) if key not in ("parameters", "control_variables") else ()
    if isinstance(value, list):
        for part in value:
            yield from objects(part)


class Schema(InFolder):
    def assert_valid(self, lines):
        self.assertTrue(lines)
        for line in lines:
            of_type = VALIDATOR.evolve(schema={"$ref": f"#/$defs/{line['type']}", "$defs": SCHEMA["$defs"]})
            self.assertEqual([f"{list(e.absolute_path)}: {e.message}" for e in of_type.iter_errors(line)], [], line)
            self.assertTrue(VALIDATOR.is_valid(line), line)

    def test_the_schema_is_one(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_every_line_of_the_library_is_valid(self):
        lines = every_line()
        self.assertEqual({line["type"] for line in lines}, {"environment", "record", "comparison", "scopes", "lateness"})
        self.assert_valid(lines)

    def test_every_key_of_the_library_is_written_by_this_test(self):
        """So that no key is wrong in the schema alone: those of launches and of sonde-map have tests of their own."""
        written = {key for line in every_line() for found in objects(line) for key in found}
        known = set()
        for name, definition in SCHEMA["$defs"].items():
            if name not in ("launch", "pair", "suspect", "bits", "verdict"):
                known |= {key for found in objects(definition) for key in found.get("properties", {})}
        self.assertEqual(known - written, {"launch"})  # of records that sonde-launch collects

    def test_a_missing_and_an_unknown_key_are_refused_and_so_are_other_types(self):
        for line in every_line():
            for i, found in enumerate(objects(line)):
                for change in (lambda o: o.update(unknown=1), *(lambda o, k=k: o.update({k: [{}]}) for k in found)):
                    changed = copy.deepcopy(line)
                    target = list(objects(changed))[i]
                    change(target)
                    self.assertFalse(VALIDATOR.is_valid(changed), changed)
        for line in every_line():
            for key in SCHEMA["$defs"][line["type"]]["required"]:
                self.assertFalse(VALIDATOR.is_valid({k: v for k, v in line.items() if k != key}), key)

    def test_the_page_of_keys_has_every_key_of_the_schema(self):
        page = read(f"{DOCS}/json.md")
        words = set(re.findall(r"[a-z0-9_]+", " ".join(re.findall(r"`([^`\n]+)`", page))))
        for definition in SCHEMA["$defs"].values():
            for found in objects(definition):
                self.assertEqual(set(found.get("properties", {})) - words, set())

    def test_lines_of_launches_are_valid(self):
        self.made("a", launches=2)
        lines = self.lines("a")
        self.assertEqual({line["type"] for line in lines}, {"launch", "environment", "record"})
        self.assert_valid(lines)

    @unittest.skipUnless(MPI_RUN and OSU_LATENCY, "built without the programs")
    def test_lines_of_a_program_are_valid_and_its_environment_describes_the_system(self):
        subprocess.run([MPI_RUN, "-t", "60", "-n", "2", OSU_LATENCY, "-m", "1:4", "-i", "10", "--report", "json=a"], cwd=self.folder,
                       stdout=subprocess.DEVNULL, timeout=100, check=True)
        where, *records = self.lines("a")
        self.assert_valid([where, *records])
        self.assertEqual([r["type"] for r in records], ["record"] * 3)
        self.assertRegex(where["system"]["kernel"], r"^Linux \d")
        self.assertGreater(where["system"]["memory_bytes"], 2**20)
        self.assertIn(where["job"]["launcher"], ("mpirun (Open MPI)", "mpiexec (Hydra)"))

    @unittest.skipUnless(MPI_RUN and os.path.exists(f"{TOOLS}/sonde-map"), "built without sonde-map")
    def test_lines_of_a_map_are_valid(self):
        subprocess.run([MPI_RUN, "-t", "60", "-n", "2", f"{TOOLS}/sonde-map", "--per", "rank", "--samples", "6", "--window", "4", "--check-bits",
                        "--expect", "latency=1e-6", "--json", "a"], cwd=self.folder, capture_output=True, timeout=100)
        lines = self.lines("a")
        self.assertEqual({line["type"] for line in lines}, {"environment", "pair", "suspect", "bits", "verdict"})
        self.assert_valid(lines)


if __name__ == "__main__":
    unittest.main(verbosity=2)
