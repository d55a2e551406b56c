"""File formats by extension, and readers of Parquet and Arrow files, which declare the types of their columns.

This is the only place that reads file extensions of tables. What a file really is, its first bytes decide
(``signatures``).
"""

from __future__ import annotations

import importlib
import os
from typing import Any

from treewright._reading.file_parts import split_part
from treewright._render.safe_text import visible
from treewright.errors import DataError, UsageError

__all__ = ["EXTENSIONS", "TEXT", "file_format", "read_frame"]

FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".ipc": "arrow",
    ".feather": "arrow",
    ".jsonl": "json lines",
    ".ndjson": "json lines",
    ".json": "json array",
    ".tsv": "tab-separated",
    ".tab": "tab-separated",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
    ".duckdb": "duckdb",
}
TEXT = ("text", "tab-separated")
PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")
PLAIN = (".csv", ".tsv", ".tab", ".txt", ".dat", ".data")
EXTENSIONS = (*dict.fromkeys((*PLAIN, *FORMATS, *PACKED)),)


def file_format(source: Any) -> str:
    """Return the format of a table by the extension of its path; "text" if it has none that is known.

    Examples
    --------
    >>> file_format("a.PQ"), file_format("a.tsv.gz"), file_format("a.csv"), file_format(b"a,b")
    ('parquet', 'tab-separated', 'text', 'text')
    """
    path, part = split_part(source)
    if not isinstance(path, (str, os.PathLike)):
        return "text"
    name = os.fsdecode(path).lower()
    if name.endswith(".zip") and part is not None:
        name = part.lower()
    if name.endswith(PACKED):
        name = os.path.splitext(name)[0]
    return FORMATS.get(os.path.splitext(name)[1], "text")


def read_frame(file: Any, form: str, label: str) -> Any:
    """Read a Parquet or Arrow file with pyarrow, or with Polars."""
    name = "Parquet" if form == "parquet" else "Arrow"
    for read in (_pyarrow, _polars):
        try:
            return read(file, form)
        except ImportError:
            continue
        except (OSError, MemoryError):
            raise
        except Exception as error:
            # Both libraries have many kinds of errors: the hint quotes them.
            first_line = str(error).split("\n")[0]
            raise DataError(
                f"{label} cannot be read as {name}",
                slug="data.unreadable",
                hints=[f"{type(error).__name__}: {visible(first_line)}"],
            ) from None
    raise UsageError(
        f"reading {name} files needs pyarrow or Polars",
        slug="usage",
        hints=["try: pip install pyarrow   or give the table as CSV"],
    )


def _pyarrow(file: Any, form: str) -> Any:
    if form == "arrow stream":
        return importlib.import_module("pyarrow.ipc").open_stream(file).read_all()
    module = importlib.import_module("pyarrow.parquet" if form == "parquet" else "pyarrow.feather")
    return module.read_table(file, memory_map=False)


def _polars(file: Any, form: str) -> Any:
    polars = importlib.import_module("polars")
    readers = {
        "parquet": polars.read_parquet,
        "arrow": polars.read_ipc,
        "arrow stream": polars.read_ipc_stream,
    }
    return readers[form](file)
