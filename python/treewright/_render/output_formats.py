"""The formats of results in files: their extensions, the error about other extensions, and rows as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from treewright._render.safe_text import visible
from treewright.errors import UsageError

__all__ = ["SUFFIXES", "csv_text", "suffix_error"]

# The file extension of each format.
SUFFIXES = {
    "text": ".txt",
    "markdown": ".md",
    "latex": ".tex",
    "html": ".html",
    "svg": ".svg",
    "png": ".png",
    "pdf": ".pdf",
    "csv": ".csv",
    "json": ".json",
}


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


def suffix_error(noun: str, path: str | Path, extensions: Iterable[str], slug: str) -> UsageError:
    """Return the error for a file extension that a result cannot be written to."""
    return UsageError(
        f'cannot write {noun} to "{visible(Path(path).name)}": unsupported file extension',
        slug=slug,
        hints=[f"supported: {' '.join(extensions)}"],
    )
