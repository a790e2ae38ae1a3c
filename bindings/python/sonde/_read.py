# SPDX-License-Identifier: BSL-1.0
"""Files of JSON Lines as tables of pandas."""

from __future__ import annotations

import importlib
import json
import os
import statistics
from collections.abc import Iterator
from typing import Any

from sonde import _sonde

_Row = dict[str, Any]


class Results:
    """The results of files of JSON Lines: `sonde.read("results.jsonl")`. Needs pandas.

    The columns "file" and "launch" of each table say where a row is from. The launch is a number in files of
    `sonde-launch`, and 0 in others.
    """

    def __init__(self, rows: list[_Row], samples: list[_Row], environments: list[_Row], scopes: list[_Row]) -> None:
        """Results are made by `sonde.read`."""
        pandas = importlib.import_module("pandas")
        self.rows: Any = pandas.DataFrame(rows)
        """A row for each record, and for each alternative of a comparison: parameters, statistics, traffic, flags."""
        self.samples: Any = _long_table(pandas, samples)
        """A row for each sample: "row", the index in `rows`, then name, parameters, "sample" and "seconds"."""
        self.environments: Any = pandas.DataFrame(environments)
        """A row for each environment."""
        self.scopes: Any = pandas.DataFrame(scopes)
        """A row for each scope of a probe."""

    def __repr__(self) -> str:
        return f"{len(self.rows)} rows, {len(self.samples)} samples, {len(self.environments)} environments"


def _long_table(pandas: Any, series: list[_Row]) -> Any:
    """A row for each element of "seconds", which the other columns are repeated for."""
    tables = [pandas.DataFrame({**one, "sample": range(len(one["seconds"]))}) for one in series]
    columns = [name for name in (tables[0].columns if tables else ()) if name != "seconds"]
    return pandas.concat(tables, ignore_index=True)[[*columns, "seconds"]] if tables else pandas.DataFrame()


def _statistics(times: list[float]) -> _Row:
    if not times:
        return dict.fromkeys(["median", "mean", "min", "max", "stddev"])
    return {
        "median": statistics.median(times),
        "mean": statistics.fmean(times),
        "min": min(times),
        "max": max(times),
        "stddev": statistics.stdev(times) if len(times) > 1 else 0.0,
    }


def _row(record: _Row) -> _Row:
    """A record as a row. Samples beyond the capacity of the series are not in its statistics."""
    times = [] if record["initiators"] == 0 else record["series_seconds"]
    found = _statistics(times)
    total = record["total"]
    per_second = 1 / found["median"] if found["median"] else None
    return {
        "name": record["name"],
        **record["parameters"],
        **found,
        "batch": record["batch"],
        "samples": record["stop"]["samples"],
        "stopped_by": record["stop"]["reason"],
        "ranks": record["ranks"],
        "initiators": record["initiators"],
        "bytes_moved": total["bytes"],
        "messages_moved": total["messages"],
        "bandwidth": per_second and total["bytes"] * per_second,
        "latency": found["median"] and found["median"] / total["hops"],
        "flags": ", ".join(name for name, is_set in record["flags"].items() if is_set),
    }


def _series(index: int, record: _Row) -> _Row:
    return {"row": index, "name": record["name"], **record["parameters"], "seconds": record["series_seconds"]}


def _records_of(line: _Row) -> Iterator[tuple[_Row, _Row]]:
    """The records of a line, each with the columns that a comparison adds."""
    if line["type"] == "record":
        yield line, {}
    elif line["type"] == "comparison":
        for one in line["alternatives"]:
            ends = one["interval"] or {"low": None, "high": None}
            speedup = {"speedup": one["speedup"], "speedup_low": ends["low"], "speedup_high": ends["high"]}
            yield one["record"], {**speedup, "outcome": one["outcome"]}


def _lines(path: str) -> Iterator[tuple[int, _Row]]:
    """The complete lines of a file with their numbers. A last line without a line feed is no result."""
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
            yield number, line


def read(*paths: str | os.PathLike[str]) -> Results:
    """Read files of JSON Lines, which `report="x.jsonl"`, `sonde::json_lines` and `sonde-launch` write.

    Raises OSError for a file that cannot be read, and ValueError, with file and line, for one that is no record file.
    """
    if not paths:
        raise ValueError("sonde.read: needs at least one path")
    rows: list[_Row] = []
    samples: list[_Row] = []
    environments: list[_Row] = []
    scopes: list[_Row] = []
    for path in [os.fspath(path) for path in paths]:
        launch = 0
        for number, line in _lines(path):
            launch = line.get("launch", launch)
            where = {"file": path, "launch": launch}
            try:
                if (version := line.get("schema_version", 0)) > _sonde.schema_version:  # its lines would be misread
                    raise ValueError(f"{path}:{number}: lines of version {version} of the schema; this Sonde reads {_sonde.schema_version}")
                for record, added in _records_of(line):
                    samples.append({**where, **_series(len(rows), record)})
                    rows.append({**where, **_row(record), **added})
                if line["type"] == "environment":
                    environments.append({**where, **line})
                elif line["type"] == "scopes":
                    scopes += [{**where, **scope} for scope in line["scopes"]]
            except (KeyError, TypeError) as e:
                raise ValueError(f"{path}:{number}: a {line['type']} without its key {e}") from None
    return Results(rows, samples, environments, scopes)
