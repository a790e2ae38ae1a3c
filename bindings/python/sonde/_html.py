# SPDX-License-Identifier: BSL-1.0
"""Tables for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def microseconds(time: float | None) -> str:
    """A time in seconds as a text in microseconds, with three decimals."""
    return "-" if time is None else f"{time * 1e6:.3f}"


def interval(of: tuple[float, float] | None, factor: float = 1) -> str:
    """Both ends of an interval, or "-" for none."""
    return "-" if of is None else f"{of[0] * factor:.3f}..{of[1] * factor:.3f}"


def table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in HTML; titles and cells are escaped."""

    def row(cells: Sequence[object], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<table><thead>{row(titles, 'th')}</thead><tbody>{body}</tbody></table>"
