"""From the columns of a user's table to those of a model: positions of ordered categories, parts of dates, amounts.

``prepare_training`` does it for a training table; ``model_series`` for rows to predict, as the schema says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treewright._input.amounts import read_amounts
from treewright._input.columns import level_key, resolve_empty_column, to_levels
from treewright._input.dates import make_part
from treewright._input.rare_levels import (
    describe_text,
    ignore_values,
    is_free_text,
    pool_rare_levels,
)
from treewright._utils.user_warnings import warn_user
from treewright.errors import ColumnWarning, DataError, printable
from treewright.schema import Column, Level, Meaning, Schema, label
from treewright.table import MISSING, Series, Table

__all__ = ["find_source", "is_derived", "model_series", "order_positions", "prepare_training"]
__all__ += ["positions_of", "source_names"]


def prepare_training(table: Table, *, pool: bool = False) -> Table:
    """Return a training table with the columns that learners split: ordered categories as positions, no dates.

    With ``pool``, the rare categories of nearly unique text count as one.
    """
    if table._core_matrix is not None:
        return table
    dates = [series.name for series in table.series if series.are_dates]
    if dates:
        names = ", ".join(f'"{printable(name)}"' for name in dates)
        holds = "holds" if len(dates) == 1 else "hold"
        warn_user(
            f"{names} {holds} dates and cannot be used as they are: ignored. To use their year, month, "
            'weekday and order: treewright.inspect(X, dates="parts").used',
            ColumnWarning,
        )
    table = table.map(_prepare_column)
    return table.map(pool_rare_levels) if pool else table


def _prepare_column(series: Series) -> Series:
    free_text = is_free_text(series)
    if free_text:
        warn_user(
            f'"{printable(series.name)}" holds sentences ({describe_text(series)}): ignored. To use them, make '
            "numbers of them, for example with TfidfVectorizer of scikit-learn",
            ColumnWarning,
        )
    if series.are_dates or free_text:
        return ignore_values(series)
    return order_positions(resolve_empty_column(series))


def order_positions(series: Series) -> Series:
    """Return ordered categories as numbers, their positions; any other column as it is."""
    if not series.ordered or series.kind != "categorical" or len(series.levels) < 2:
        return series
    data = np.where(series.data == MISSING, np.nan, series.data.astype(np.float64))
    return Series(series.name, "numeric", data, meaning=Meaning(order=series.levels))


def is_derived(schema: Schema) -> bool:
    """Whether the model reads columns that the user's table may lack: parts of dates."""
    return any(column.source != column.name for column in schema.columns)


def source_names(schema: Schema, names: Sequence[str]) -> list[str]:
    """Return the columns of the user's table that some columns of the model come from."""
    wanted = set(names)
    return list(dict.fromkeys(c.source for c in schema.columns if c.name in wanted))


def find_source(columns: Mapping[str, object], column: Column) -> str | None:
    """Return the name under which a table has a column of the model, or what it comes from; None if it has neither."""
    return next((name for name in (column.name, column.source) if name in columns), None)


def model_series(series: Series, column: Column) -> Series:
    """Return a column of the user's table as the model knows it: a part of its dates, or amounts as numbers."""
    meaning = column.meaning
    if meaning is None or meaning.other or series.kind == "numeric" or not series.levels:
        return series if series.name == column.name else replace(series, name=column.name)
    if meaning.order and set(series.levels) <= set(meaning.order):
        return replace(series, name=column.name)  # a weekday, not a date
    if meaning.part:
        part = make_part(replace(series, name=column.source), meaning.part, meaning.written)
        _refuse_texts(series, part.missing() & ~series.missing())
        return part
    if meaning.written:
        numbers = read_amounts(map(label, series.levels), meaning.written)
        data = np.append(numbers, np.nan)[np.minimum(series.data, len(numbers))]
        _refuse_texts(series, np.isnan(data) & ~series.missing())
        return Series(column.name, "numeric", data, meaning=meaning)
    return series


def _refuse_texts(series: Series, wrong: NDArray[np.bool_]) -> None:
    """Raise an error if some rows hold a text that cannot be read."""
    codes = series.data[wrong]
    known = codes[codes < len(series.levels)]
    if len(known):
        text = label(series.levels[int(known.min())])
        raise DataError(
            f'column "{series.name}" holds {text!r}, which is not written as in training',
            slug="predict.other-kind",
        )


def positions_of(
    series: Series, order: Sequence[Level]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the position of each value in ordered categories, NaN if it has none, and which values are unseen."""
    series = to_levels(series)
    known = {level_key(level): float(i) for i, level in enumerate(order)}
    places = np.array([*(known.get(level_key(v), np.nan) for v in series.levels), np.nan])
    positions = places[np.minimum(series.data, len(series.levels))]
    return positions, np.isnan(positions) & (series.data != MISSING)
