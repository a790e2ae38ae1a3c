# SPDX-License-Identifier: BSL-1.0
"""Files of JSON Lines as tables of pandas."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from sonde import _sonde
from sonde._lateness import Lateness
from sonde._probe import row_of_scope

_Row = dict[str, Any]


class Results:
    """The results of files of JSON Lines: `sonde.read("results.jsonl")`. Needs pandas.

    The columns "file" and "launch" of each table say where a row is from. The launch is a number in files of
    `sonde-launch`, and 0 in others.
    """

    def __init__(self, tables: _Tables) -> None:
        """Results are made by `sonde.read`."""
        pandas = importlib.import_module("pandas")
        self.rows: Any = pandas.DataFrame(tables.rows)
        """A row for each record, and for each alternative of a comparison: parameters, statistics, traffic, flags.

        "kind" is "record" or "comparison"; "median_low" and "median_high" are the 95 % interval of the median.
        """
        self.samples: Any = _long_table(pandas, tables.samples)
        """A row for each sample: "row", the index in `rows`, then name, parameters, "sample" and "seconds"."""
        self.environments: Any = pandas.DataFrame(tables.environments)
        """A row for each environment."""
        self.scopes: Any = pandas.DataFrame(tables.scopes)
        """A row for each scope of a probe, with the columns of `Scopes.to_pandas`."""
        self.lateness: Any = pandas.DataFrame(tables.lateness)
        """A row for each result of `Probe.collect_lateness`: its figures, and the sentences as one text."""
        self.late_ranks: Any = pandas.DataFrame(tables.late_ranks)
        """A row for each late rank: "row", the index in `lateness`, then the members of `LateRank`."""

    def __repr__(self) -> str:
        return f"{len(self.rows)} rows, {len(self.samples)} samples, {len(self.environments)} environments"


def _long_table(pandas: Any, series: list[_Row]) -> Any:
    """A row for each element of "seconds", which the other columns are repeated for."""
    tables = [pandas.DataFrame({**one, "sample": range(len(one["seconds"]))}) for one in series]
    columns = [name for name in (tables[0].columns if tables else ()) if name != "seconds"]
    return pandas.concat(tables, ignore_index=True)[[*columns, "seconds"]] if tables else pandas.DataFrame()


def _row(kind: str, record: _sonde.Record) -> _Row:
    """A record as a row; `kind` is the type of its line."""
    row: _Row = {"kind": kind, "name": record.name, **record.parameters}
    has_times = record.initiators != 0 and len(record.samples) != 0
    for name in ("median", "mean", "min", "max", "stddev"):
        row[name] = getattr(record, name) if has_times else None
    row["median_low"], row["median_high"] = record.interval(0.95) or (None, None)
    row["p99"] = record.percentile(0.99)
    reason, samples = record.stop
    return {
        **row,
        "batch": record.batch,
        "samples": samples,
        "stopped_by": reason,
        "ranks": record.ranks,
        "initiators": record.initiators,
        "bytes_moved": record.bytes,
        "messages_moved": record.messages,
        "bandwidth": record.bandwidth if has_times else None,
        "latency": record.latency if has_times else None,
        "flags": ", ".join(record.flags),
    }


def _speedup(alternative: _Row) -> _Row:
    """The columns that an alternative of a comparison has."""
    ends = alternative["interval"] or {"low": None, "high": None}
    speedup = {"speedup": alternative["speedup"], "speedup_low": ends["low"], "speedup_high": ends["high"]}
    return {**speedup, "outcome": alternative["outcome"]}


def _series(index: int, record: _sonde.Record) -> _Row:
    times = record.samples if record.initiators else [None] * len(record.samples)
    return {"row": index, "name": record.name, **record.parameters, "seconds": times}


def _row_of_lateness(found: _sonde.Lateness) -> _Row:
    low, high = found.interval or (None, None)
    waiting = {"waiting": found.waiting, "waiting_low": low, "waiting_high": high, "transfer": found.transfer}
    more = {name: getattr(found, name) for name in ("steps", "enough_steps", "observed", "clock_error")}
    return {**waiting, **more, "sentences": " ".join(found.sentences)}


class _Tables:
    """Rows of the tables, by lines."""

    def __init__(self) -> None:
        self.rows: list[_Row] = []
        self.samples: list[_Row] = []
        self.environments: list[_Row] = []
        self.scopes: list[_Row] = []
        self.lateness: list[_Row] = []
        self.late_ranks: list[_Row] = []

    def add(self, where: _Row, line: _Row, text: str) -> None:
        """Add a line. Raises ValueError, KeyError or TypeError for one that is not complete."""
        if (version := line.get("schema_version", 0)) > _sonde.schema_version:  # its lines would be misread
            raise ValueError(f"lines of version {version} of the schema; this Sonde reads {_sonde.schema_version}")
        kind = line["type"]
        found = _sonde.from_json(text) if kind in ("record", "comparison", "scopes", "lateness") else None
        if isinstance(found, _sonde.Record):
            self._add_record(where, kind, found, {})
        elif isinstance(found, _sonde.Comparison):
            for record, alternative in zip(found.records, line["alternatives"]):
                self._add_record(where, kind, record, _speedup(alternative))
        elif isinstance(found, list):
            self.scopes += [{**where, **row_of_scope(scope)} for scope in found]
        elif isinstance(found, _sonde.Lateness):
            late = [{"row": len(self.lateness), **asdict(one)} for one in Lateness(found).late]
            self.late_ranks += [{**where, **one} for one in late]
            self.lateness.append({**where, **_row_of_lateness(found)})
        elif kind == "environment":
            self.environments.append({**where, **line})

    def _add_record(self, where: _Row, kind: str, record: _sonde.Record, added: _Row) -> None:
        self.samples.append({**where, **_series(len(self.rows), record)})
        self.rows.append({**where, **_row(kind, record), **added})


def _lines(path: str) -> Iterator[tuple[int, _Row, str]]:
    """The complete lines of a file with their numbers and texts. A last line without a line feed is no result."""
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            if not text.endswith("\n"):
                return
            try:
                line = json.loads(text)
            except ValueError as e:
                raise ValueError(f"{path}:{number}: {e}") from None
            if not isinstance(line, dict) or "type" not in line:
                raise ValueError(f"{path}:{number}: not a line of a record file")
            yield number, line, text


def read(*paths: str | os.PathLike[str]) -> Results:
    """Read files of JSON Lines, which `report="x.jsonl"`, `sonde::json_lines` and `sonde-launch` write.

    Raises OSError for a file that cannot be read, and ValueError, with file and line, for one that is no record file.
    """
    if not paths:
        raise ValueError("sonde.read: needs at least one path")
    tables = _Tables()
    for path in [os.fspath(path) for path in paths]:
        launch = 0
        for number, line, text in _lines(path):
            launch = line.get("launch", launch)
            try:
                tables.add({"file": path, "launch": launch}, line, text)
            except KeyError as e:
                raise ValueError(f"{path}:{number}: a {line['type']} without its key {e}") from None
            except (TypeError, ValueError) as e:
                raise ValueError(f"{path}:{number}: {e}") from None
    return Results(tables)
