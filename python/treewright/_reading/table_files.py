"""``read_csv``, ``read_table`` and ``inspect``: what a file is, and who reads it."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from treewright._reading.byte_source import Binary, Dialect, label_of
from treewright._reading.column_overrides import Wishes
from treewright._reading.dates import as_dated_table
from treewright._reading.inspection import Inspection
from treewright._reading.typed_formats import ARROW, JSON_LINES, PARQUET, json_lines, read_frame
from treewright._reading.whole_file import from_table, from_text
from treewright.schema import Level
from treewright.table import Table

__all__ = ["inspect", "read_csv", "read_table"]


def read_csv(
    source: Binary,
    *,
    delimiter: str | None = None,
    missing: Sequence[str] = ("", "?"),
    categorical: Collection[str] = (),
    numeric: Collection[str] = (),
    ragged: str = "error",
    encoding: str = "utf-8",
    levels: Mapping[str, Sequence[Level]] | None = None,
) -> Table:
    r"""Read a table from delimited text.

    The first row holds the names. Columns are typed as a whole: all numbers, or categories; :func:`inspect` tells what
    was decided and why. Blanks around cells are left out.

    Parameters
    ----------
    source : path, bytes or binary file
        What to read.
    delimiter : str, optional
        What separates the fields; otherwise the comma, semicolon, tab or vertical bar that the first row has most of.
    missing : sequence of str, default=("", "?")
        Cells that are read as missing. ``NA`` and ``None`` are not among them: one is Namibia, the other a town.
    categorical, numeric : collection of str, default=()
        Columns to read as categories or as numbers, whatever they look like.
    ragged : {"error", "drop"}, default="error"
        What becomes of rows with more or fewer fields than the header.
    encoding : str, default="utf-8"
        The encoding of the text.
    levels : mapping of str to sequence, optional
        The possible values of columns, in their order.

    Returns
    -------
    Table
        All columns.

    Examples
    --------
    >>> table = read_csv(b"outlook;temperature\nsunny;85\nrain;\n")
    >>> table.to_dict()
    {'outlook': ['sunny', 'rain'], 'temperature': [85.0, None]}
    """
    dialect = Dialect(delimiter, missing, ragged, encoding)
    wishes = Wishes(categorical, numeric, levels=levels or {}, selects=False)
    return from_text(source, dialect, wishes, label_of(source)).table


def read_table(path: str | os.PathLike[str], **options: Any) -> Table:
    r"""Read a table from a file, in the format that its suffix names.

    ``.parquet``, ``.pq``, ``.arrow``, ``.ipc`` and ``.feather`` need pyarrow or Polars; ``.jsonl`` and ``.ndjson`` hold
    an object a line; everything else is delimited text.

    Parameters
    ----------
    path : path
        The file.
    **options
        As for :func:`inspect`; those of text say nothing about the other formats.

    Returns
    -------
    Table
        All columns.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "a.jsonl"
    ...     _ = path.write_text('{"n": 1, "wind": "weak"}\n{"n": 2}\n')
    ...     read_table(path).to_dict()
    {'n': [1.0, 2.0], 'wind': ['weak', None]}
    """
    return inspect(path, **options).table


def inspect(
    source: Any,
    *,
    delimiter: str | None = None,
    missing: Sequence[str] = ("", "?"),
    categorical: Collection[str] = (),
    numeric: Collection[str] = (),
    ignore: Collection[str] = (),
    keep: Collection[str] = (),
    ragged: str = "error",
    encoding: str = "utf-8",
    levels: Mapping[str, Sequence[Level]] | None = None,
    label: str | None = None,
) -> Inspection:
    r"""Read a table and say how every column was read.

    Parameters
    ----------
    source : path, bytes, binary file or table
        A file in any of the formats of :func:`read_table`, text in memory, or a table in any container.
    delimiter, missing, ragged, encoding, levels
        As in :func:`read_csv`.
    categorical, numeric : collection of str, default=()
        Columns to read as categories or as numbers, whatever they look like.
    ignore, keep : collection of str, default=()
        Columns to leave out of the features, or to use although they look like identifiers or dates.
    label : str, optional
        What the table is called; otherwise its path.

    Returns
    -------
    Inspection
        The table, a report for each column, and notes.

    Examples
    --------
    >>> found = inspect(b"zip,wind\n07030,weak\n08540,weak\n07030,strong\n")
    >>> print(found.notes[0])
    "zip" has leading zeros (07030, 08540): read as categorical. numeric=["zip"] reads it as numbers.
    """
    dialect = Dialect(delimiter, missing, ragged, encoding)
    wishes = Wishes(categorical, numeric, ignore, keep, levels or {})
    name = label_of(source, label)
    is_path = isinstance(source, (str, os.PathLike))
    suffix = os.path.splitext(os.fsdecode(source))[1].lower() if is_path else ""
    if suffix in JSON_LINES:
        return from_table(as_dated_table(list(json_lines(source, name))), wishes, name)
    if suffix in (".tsv", ".tab") and delimiter is None:
        dialect.delimiter = "\t"
    if suffix in (*PARQUET, *ARROW):
        return from_table(as_dated_table(read_frame(os.fsdecode(source), suffix)), wishes, name)
    if is_path or isinstance(source, (bytes, bytearray, memoryview)) or hasattr(source, "read"):
        return from_text(source, dialect, wishes, name)
    return from_table(as_dated_table(source), wishes, name)
