"""Dates in containers that have a type for them.

A table of ours has numbers and categories. A date becomes its text, as a CSV file would hold it, so that the same table
is read in the same way from Parquet, from a data frame and from text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from treewright._input.columns import DATES, from_values, is_missing
from treewright._input.containers import as_table, by_columns, is_named
from treewright.table import Series, Table

__all__ = ["as_dated_table"]


def as_dated_table(X: Any) -> Table:
    """Turn a container into a table in which dates are text.

    Examples
    --------
    >>> import datetime
    >>> as_dated_table({"day": [datetime.date(2024, 1, 31), None]}).to_dict()
    {'day': ['2024-01-31', None]}
    """
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
    """Whether the first value that is there is a date."""
    return isinstance(next((cell for cell in cells if not is_missing(cell)), None), DATES)


def _text(cell: Any) -> Any:
    if is_missing(cell):
        return None
    if not isinstance(cell, DATES):
        return cell  # a column that mixes dates and other values is refused as any mixture is
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)
