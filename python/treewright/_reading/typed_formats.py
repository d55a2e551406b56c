"""Files that say themselves what their columns are: Parquet, Arrow, and JSON lines.

Their columns are taken as they are; only delimited text has to be interpreted.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterator
from typing import Any

from treewright._reading.quoting import named
from treewright._render.numbers import count
from treewright._render.safe_text import visible
from treewright.errors import DataError, UsageError

__all__ = ["ARROW", "JSON_LINES", "PARQUET", "json_lines", "read_frame"]

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".ipc", ".feather")
JSON_LINES = (".jsonl", ".ndjson")


def json_lines(path: str | os.PathLike[str], where: str) -> Iterator[dict[str, Any]]:
    """Give the objects of a file that holds one a line."""
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
                f"{where}: {named(name)} holds a list or an object, not one value", slug="data.json"
            )
    return row


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def read_frame(path: str, suffix: str) -> Any:
    """Read a Parquet or Arrow file with pyarrow, or with Polars."""
    for read in (_pyarrow, _polars):
        try:
            return read(path, suffix in PARQUET)
        except ImportError:
            continue
        except (OSError, MemoryError):
            raise
        except Exception as error:
            # Both libraries have many kinds of errors, and none of them is ours to explain.
            said = str(error).split("\n")[0]
            raise DataError(
                f"{visible(path)} cannot be read as {suffix}",
                slug="data.unreadable",
                hints=[f"{type(error).__name__}: {visible(said)}"],
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
