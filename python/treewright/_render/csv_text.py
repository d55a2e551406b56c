"""Rows of plain values as comma-separated text."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

__all__ = ["csv_text"]


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    r"""Return rows as comma-separated text below the names of all columns; a missing value is an empty cell.

    Examples
    --------
    >>> csv_text([{"a": 1, "b": None}, {"a": 2, "c": [3.5, "x"]}])
    'a,b,c\n1,,\n2,,3.5; x\n'
    """
    names = dict.fromkeys(name for row in rows for name in row)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_cell(row.get(name)) for name in names] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return "; ".join(str(_cell(item)) for item in value)
    return "" if value is None or value != value else value
