"""``read_csv``, ``read_table`` and ``inspect``.

Dates become text, as a CSV file holds them: the same table is read alike from Parquet, a data frame and text.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from treewright._input.columns import DATES, from_values, is_missing
from treewright._input.containers import as_table, by_columns, is_named
from treewright._reading.byte_source import Binary, Dialect, source_label
from treewright._reading.column_overrides import ColumnOverrides
from treewright._reading.file_formats import file_format, json_lines, read_frame
from treewright._reading.inspection import Inspection
from treewright._reading.whole_file import inspect_table, inspect_text
from treewright.schema import Level
from treewright.table import Series, Table

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

    The first row holds the names. Each column is read as a whole, as numbers or as categories; :func:`inspect` reports
    the decisions and their reasons. Blanks around cells are removed.

    Parameters
    ----------
    source : path, bytes or binary file
        What to read.
    delimiter : str, optional
        The field separator; otherwise a tab for ``.tsv`` and ``.tab`` files, else the comma, semicolon, tab or vertical
        bar that the first row has most of.
    missing : sequence of str, default=("", "?")
        Cells that are read as missing. ``NA`` and ``None`` are not among them: one is Namibia, the other a town.
    categorical, numeric : collection of str, default=()
        Columns to read as categories or as numbers, whatever their cells look like.
    ragged : {"error", "drop"}, default="error"
        What to do with rows that have more or fewer fields than the header.
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
    dialect = Dialect.of(source, delimiter, missing, ragged, encoding)
    overrides = ColumnOverrides(categorical, numeric, levels=levels or {}, selects=False)
    return inspect_text(source, dialect, overrides, source_label(source)).table


def read_table(path: str | os.PathLike[str], **options: Any) -> Table:
    r"""Read a table from a file, in the format that its extension names.

    ``.parquet``, ``.pq``, ``.arrow``, ``.ipc`` and ``.feather`` need pyarrow or Polars; ``.jsonl`` and ``.ndjson`` hold
    one object per line; everything else is delimited text.

    Parameters
    ----------
    path : path
        The file.
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
    r"""Read a table and report how every column was read.

    Parameters
    ----------
    source : path, bytes, binary file or table
        A file in any of the formats of :func:`read_table`, text in memory, or a table in any container.
    delimiter, missing, ragged, encoding, levels
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
    dialect = Dialect.of(source, delimiter, missing, ragged, encoding)
    overrides = ColumnOverrides(categorical, numeric, ignore, keep, levels or {})
    name = source_label(source, label)
    form = file_format(source)
    if form == "json lines":
        return inspect_table(_table_with_dates(list(json_lines(source, name))), overrides, name)
    if form in ("parquet", "arrow"):
        frame = read_frame(os.fsdecode(source))
        return inspect_table(_table_with_dates(frame), overrides, name)
    if isinstance(source, (str, os.PathLike, bytes, bytearray, memoryview)) or hasattr(
        source, "read"
    ):
        return inspect_text(source, dialect, overrides, name)
    return inspect_table(_table_with_dates(source), overrides, name)


def _table_with_dates(X: Any) -> Table:
    """Turn a container into a table in which dates are text, as a CSV file would hold them."""
    from treewright._input.dataframes import from_column, is_frame, open_frame

    if isinstance(X, Table):
        return X
    if is_named(X):
        return Table([_from_cells(str(name), cells) for name, cells in by_columns(X).items()])
    if not is_frame(X):
        return as_table(X)
    frame = open_frame(X)
    columns = []
    for name in frame.columns:
        column = frame.get_column(name)
        if column.dtype.is_temporal() or (str(column.dtype) == "Object" and _has_date(column)):
            columns.append(from_values(str(name), [_text(cell) for cell in column.to_list()]))
        else:
            columns.append(from_column(str(name), column.to_native()))
    return Table(columns)


def _from_cells(name: str, cells: Any) -> Series:
    if isinstance(cells, (list, tuple)) and _has_date(cells):
        return from_values(name, [_text(cell) for cell in cells])
    return from_values(name, cells)


def _has_date(cells: Iterable[Any]) -> bool:
    """Whether the first value that is not missing is a date."""
    return isinstance(next((cell for cell in cells if not is_missing(cell)), None), DATES)


def _text(cell: Any) -> Any:
    if is_missing(cell):
        return None
    if not isinstance(cell, DATES):
        return cell  # mixed with dates, it raises the error of a mixed column
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)
