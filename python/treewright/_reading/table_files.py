"""``read_csv``, ``read_table`` and ``inspect``."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from treewright._input.containers import as_table
from treewright._reading.column_overrides import ColumnOverrides
from treewright._reading.content import Binary, Content, open_content, source_label
from treewright._reading.dialect import Dialect
from treewright._reading.inspection import Inspection
from treewright._reading.whole_file import inspect_table, inspect_text
from treewright.schema import Level
from treewright.table import Table

__all__ = ["inspect", "is_file", "read_csv", "read_table"]


def read_csv(
    source: Binary,
    *,
    delimiter: str | None = None,
    missing: Sequence[str] | None = None,
    categorical: Collection[str] = (),
    numeric: Collection[str] = (),
    ragged: str = "error",
    encoding: str = "utf-8",
    header: bool = True,
    decimal: str = ".",
    thousands: str | None = None,
    comment: str | None = None,
    levels: Mapping[str, Sequence[Level]] | None = None,
    ordered: Mapping[str, Sequence[Level]] | None = None,
    dates: str = "ignore",
) -> Table:
    r"""Read a table from delimited text.

    Each column is read as a whole, as numbers or as categories; :func:`inspect` reports
    the decisions and their reasons. Blanks around cells are removed.

    Parameters
    ----------
    source : path, bytes or binary file
        What to read.
    delimiter : str, optional
        The field separator, one character or ``"whitespace"`` for runs of blanks and tabs. Otherwise a tab for ``.tsv``
        and ``.tab`` files, else the comma, semicolon, tab or vertical bar that the first row has most of, or whitespace
        if it has none of them and every row has as many words.
    missing : sequence of str, optional
        Cells that are read as missing, in every column. By default these are empty cells and ``?``; the usual words
        (``NA``, ``N/A``, ``#N/A``, ``NaN``, ``null``), each counted in a note; and, in columns of numbers and dates,
        ``None`` and ``-``, which are often categories of their own among texts.
    categorical, numeric : collection of str, default=()
        Columns to read as categories or as numbers, whatever their cells look like.
    ragged : {"error", "drop"}, default="error"
        What to do with rows that have more or fewer fields than the header.
    encoding : str, default="utf-8"
        The encoding of the text.
    header : bool, default=True
        Whether the first row holds the names of the columns; otherwise they are c1, c2, c3.
    decimal : {".", ","}, default="."
        What stands before the fraction of a number.
    thousands : {",", ".", " ", "'", "_"}, optional
        What stands between the thousands of a number.
    comment : str, optional
        Lines that begin with this character are left out.
    levels : mapping of str to sequence, optional
        The possible values of columns.
    ordered : mapping of str to sequence, optional
        The possible values of columns, from the lowest to the highest: trees cut them in this order.
    dates : {"ignore", "parts"}, default="ignore"
        What to do with columns of dates: models ignore them, or they become numbers. The column itself is then cut at
        dates (``signup ≤ 2024-03-01``); new columns hold its year, month, day, weekday and, if there are times, hour.

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
    dialect = Dialect(
        delimiter,
        missing=missing,
        ragged=ragged,
        encoding=encoding,
        header=header,
        decimal=decimal,
        thousands=thousands,
        comment=comment,
    )
    overrides = ColumnOverrides(
        categorical,
        numeric,
        levels=levels or {},
        ordered=ordered or {},
        dates=dates,
        selects=False,
    )
    return inspect_text(source, dialect, overrides, source_label(source)).table


def read_table(path: str | os.PathLike[str], **options: Any) -> Table:
    r"""Read a table from a file, whatever its format is.

    Delimited text, also compressed (gzip, bzip2, xz, Zstandard, zip); Parquet and Arrow (pyarrow or Polars); Excel
    (openpyxl); JSON, one object per line or an array of objects; SQLite and DuckDB (duckdb). The first bytes of the
    file say what it is.

    Parameters
    ----------
    path : path
        The file. ``"sales.xlsx::March"``, ``"data.sqlite::customers"`` and ``"files.zip::train.csv"`` name the sheet,
        table or file inside, which is needed where there are several.
    **options
        As for :func:`inspect`; options of text files have no effect on the other formats.

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
    missing: Sequence[str] | None = None,
    categorical: Collection[str] = (),
    numeric: Collection[str] = (),
    ignore: Collection[str] = (),
    keep: Collection[str] = (),
    ragged: str = "error",
    encoding: str = "utf-8",
    header: bool = True,
    decimal: str = ".",
    thousands: str | None = None,
    comment: str | None = None,
    levels: Mapping[str, Sequence[Level]] | None = None,
    ordered: Mapping[str, Sequence[Level]] | None = None,
    dates: str = "ignore",
    label: str | None = None,
) -> Inspection:
    r"""Read a table and report how every column was read.

    Parameters
    ----------
    source : path, bytes, binary file or table
        A file in any of the formats of :func:`read_table`, text in memory, or a table in any container.
    delimiter, missing, ragged, encoding, header, decimal, thousands, comment, levels, ordered, dates
        As in :func:`read_csv`.
    categorical, numeric : collection of str, default=()
        Columns to read as categories or as numbers, whatever their cells look like.
    ignore, keep : collection of str, default=()
        Columns not to use as features, or to use although they look like identifiers or dates.
    label : str, optional
        The name of the table in messages; otherwise its path.

    Returns
    -------
    Inspection
        The table, a report on each column, and notes.

    Examples
    --------
    >>> inspection = inspect(b"zip,wind\n07030,weak\n08540,weak\n07030,strong\n")
    >>> print(inspection.notes[0])
    "zip" has leading zeros (07030, 08540): read as categorical. numeric=["zip"] reads it as numbers.
    """
    dialect = Dialect(
        delimiter,
        missing=missing,
        ragged=ragged,
        encoding=encoding,
        header=header,
        decimal=decimal,
        thousands=thousands,
        comment=comment,
    )
    overrides = ColumnOverrides(
        categorical, numeric, ignore, keep, levels or {}, ordered or {}, dates
    )
    name = source_label(source, label)
    if is_file(source):
        with open_content(source, name) as content:
            return _inspect_content(content, dialect, overrides)
    if isinstance(source, Content):
        return _inspect_content(source, dialect, overrides)
    return inspect_table(as_table(source), overrides, name)


def _inspect_content(content: Content, dialect: Dialect, overrides: ColumnOverrides) -> Inspection:
    if content.is_typed:
        return inspect_table(as_table(content.read_typed()), overrides, content.label)
    return inspect_text(content, dialect, overrides, content.label)


def is_file(source: Any) -> bool:
    """Whether a source is a file or bytes, not a table in memory."""
    kinds = (str, os.PathLike, bytes, bytearray, memoryview)
    return isinstance(source, kinds) or hasattr(source, "read")
