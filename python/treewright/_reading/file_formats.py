"""File formats by extension, and readers of those that declare the types of their columns: Parquet, Arrow, JSON lines.

Their columns are taken as they are; only delimited text has to be interpreted. This is the only place that reads file
extensions of tables.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterator
from typing import Any

from treewright._reading.quoting import quote
from treewright._render.numbers import count
from treewright._render.safe_text import visible
from treewright.errors import DataError, UsageError

__all__ = ["EXTENSIONS", "TEXT", "file_format", "json_lines", "read_frame"]

FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".feather": "arrow",
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".tsv": "tab-separated",
    ".tab": "tab-separated",
}
TEXT = ("text", "tab-separated")
EXTENSIONS = (
    ".csv",
    ".tsv",
    ".tab",
    ".txt",
    *(e for e, form in FORMATS.items() if form not in TEXT),
)


def file_format(source: Any) -> str:
    """Return the format of a table by the extension of its path; "text" if it has none that is known.

    Examples
    --------
    >>> file_format("a.PQ"), file_format("a.tsv"), file_format("a.csv"), file_format(b"a,b")
    ('parquet', 'tab-separated', 'text', 'text')
    """
    if not isinstance(source, (str, os.PathLike)):
        return "text"
    return FORMATS.get(os.path.splitext(os.fsdecode(source))[1].lower(), "text")


def json_lines(path: str | os.PathLike[str], where: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file that holds one per line."""
    with open(path, "rb") as file:
        for line, raw in enumerate(file, 1):
            text = raw.removeprefix(b"\xef\xbb\xbf") if line == 1 else raw
            if text.strip():
                yield _row(text, f"{where} line {count(line)}")


def _row(text: bytes, where: str) -> dict[str, Any]:
    try:
        row = json.loads(text.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"{where} is not JSON", slug="data.json", hints=[f"Python says: {visible(str(error))}"]
        ) from None
    if not isinstance(row, dict):
        raise DataError(f"{where} is not an object: {{...}}", slug="data.json")
    for name, value in row.items():
        if isinstance(value, (dict, list)):
            raise DataError(
                f"{where}: {quote(name)} holds a list or an object, not one value", slug="data.json"
            )
    return row


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def read_frame(path: str) -> Any:
    """Read a Parquet or Arrow file with pyarrow, or with Polars."""
    suffix = os.path.splitext(path)[1].lower()
    for read in (_pyarrow, _polars):
        try:
            return read(path, file_format(path) == "parquet")
        except ImportError:
            continue
        except (OSError, MemoryError):
            raise
        except Exception as error:
            # Both libraries have many kinds of errors: the hint quotes them.
            first_line = str(error).split("\n")[0]
            raise DataError(
                f"{visible(path)} cannot be read as {suffix}",
                slug="data.unreadable",
                hints=[f"{type(error).__name__}: {visible(first_line)}"],
            ) from None
    raise UsageError(
        f"reading {suffix} files needs pyarrow or Polars",
        slug="usage",
        hints=["try: pip install pyarrow   or give the table as CSV"],
    )


def _pyarrow(path: str, parquet: bool) -> Any:
    module = importlib.import_module("pyarrow.parquet" if parquet else "pyarrow.feather")
    return module.read_table(path, memory_map=False)


def _polars(path: str, parquet: bool) -> Any:
    polars = importlib.import_module("polars")
    return polars.read_parquet(path) if parquet else polars.read_ipc(path)
