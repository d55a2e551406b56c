"""From a table to the arrays that the core reads, in the codes of a schema.

A model knows categories by value: another table may number them differently, or hold unseen categories. A plain array
of floats needs no table: ``predict_array`` is the fast path of ``predict``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.columns import from_values, level_key, to_levels
from treewright._input.containers import as_table
from treewright._input.source_columns import find_source, model_series, positions_of, source_names
from treewright._utils.validation import threads_of
from treewright.errors import DataError
from treewright.schema import Column, Level, Schema
from treewright.table import MISSING, CoreColumns, Series, Table

__all__ = ["count_unseen", "encode", "encode_columns", "one_row", "predict_array"]
__all__ += ["predict_array_row", "refuse_lacking"]

MAX_LISTED = 10


def encode(table: Table, schema: Schema) -> CoreColumns:
    """Return the arrays that the core reads: the columns of the schema, categories coded by value.

    A category that the schema does not have gets the code ``UNSEEN``.
    """
    matrix = table._core_matrix
    if matrix is not None and all(column.kind == "numeric" for column in schema.columns):
        return matrix
    return encode_columns(table, schema)


def encode_columns(table: Table, schema: Schema) -> list[NDArray[Any]]:
    """Return one array per column, even if the numbers could be read as a matrix without a copy."""
    table = table._densify()
    if table.matrix is None and table.conforms_to(schema):
        return [series.data for series in table.series]
    if table.matrix is not None and is_plain(table, schema):
        # A copy in which -0.0 is 0.0, as in single columns.
        return list(np.add(table.matrix.array.T, 0.0, dtype=np.float64, order="C"))
    return [_encode(model_series(table.column(c.name), c), c) for c in schema.columns]


def is_plain(table: Table, schema: Schema) -> bool:
    """Whether the columns of a schema are those of a table, in their order, and all hold plain numbers."""
    return table.columns == list(schema.names) and all(
        column.kind == "numeric" and column.meaning is None for column in schema.columns
    )


def count_unseen(table: Table, schema: Schema) -> dict[str, dict[Level, int]]:
    """Count unseen categories by column."""
    counts: dict[str, dict[Level, int]] = {}
    for column in schema.columns:
        if column.kind == "numeric" and not column.order:
            continue
        series = table.column(column.name)
        if column.kind == "numeric":
            if series.kind == "numeric" or column.part:
                continue
            rows = np.flatnonzero(positions_of(series, column.order)[1])
        else:
            rows = np.flatnonzero(_encode(series, column) == _core.UNSEEN)
        if len(rows):
            counts[column.name] = dict(Counter(_values(series, rows)))
    return counts


def _values(series: Series, rows: NDArray[Any]) -> list[Any]:
    """Return the values of some rows; None for categories that a reader has already coded as unseen."""
    if series.kind == "numeric":
        return series.take(rows).values()
    known = len(series.levels)
    return [series.levels[c] if c < known else None for c in series.data[rows].tolist()]


def _encode(series: Series, column: Column) -> NDArray[Any]:
    if column.order and series.meaning != column.meaning:
        return np.ascontiguousarray(positions_of(series, column.order)[0])
    if column.kind == "numeric":
        if series.kind == "categorical" and series.levels:
            raise DataError(
                f'column "{series.name}" held numbers in training and now holds {series.levels[0]!r}',
                slug="predict.other-kind",
            )
        data = series.data if series.kind == "numeric" else np.full(len(series.data), np.nan)
        return np.ascontiguousarray(data, dtype=np.float64)
    series = to_levels(series)
    known = {level_key(level): i for i, level in enumerate(column.levels)}
    unknown = len(column.levels) - 1 if column.other else _core.UNSEEN
    recode = [known.get(level_key(level), unknown) for level in series.levels]
    if recode == list(range(len(column.levels))):
        return np.ascontiguousarray(series.data, dtype=np.uint32)
    lookup = np.array([*recode, MISSING], dtype=np.uint32)
    codes: NDArray[np.uint32] = lookup[np.minimum(series.data, len(series.levels))]
    return codes


def one_row(row: Any, schema: Schema) -> Table:
    """Turn one row (a table, a mapping, a sequence) into a one-row table of the schema's columns."""
    row = _unpack_series(row, schema)
    if isinstance(row, Mapping) and not any(map(_is_column, row.values())):
        known = {*schema.names, *source_names(schema, schema.names)}
        unknown = [str(key) for key in row if str(key) not in known]
        if unknown:
            raise DataError(
                f'the model has no column "{unknown[0]}"',
                slug="data.no-such-column",
                hints=[f"columns: {', '.join(schema.names)}"],
            )
        cells = {str(key): value for key, value in row.items()}
        return Table([_cell_of(cells, column) for column in schema.columns])
    single = isinstance(row, (list, tuple)) and not any(map(_is_column, row))
    if single or (isinstance(row, np.ndarray) and row.ndim == 1):
        if len(row) != len(schema.names):
            raise DataError(
                f"the row has {len(row)} values, the model reads {len(schema.names)}",
                slug="data.one-row",
                hints=[f"columns: {', '.join(schema.names)}"],
            )
        return Table([from_values(n, [v]) for n, v in zip(schema.names, row, strict=True)])
    table = as_table(row, schema.names)
    if len(table) != 1:
        raise DataError(f"expected one row, got {len(table)}", slug="data.one-row")
    if all(column.meaning is None for column in schema.columns):
        return table
    cells = {series.name: series for series in table.series}
    return Table([_cell_of(cells, column) for column in schema.columns])


def _cell_of(cells: Mapping[str, Any], column: Column) -> Series:
    """Return the value of one row in a column of the model, missing if the row has none."""
    source = find_source(cells, column)
    value = None if source is None else cells[source]
    series = value if isinstance(value, Series) else from_values(column.name, [value])
    return model_series(series, column)


def _unpack_series(row: Any, schema: Schema) -> Any:
    """Return a row of a data frame as a dictionary if it has names of columns, else as a list."""
    if isinstance(row, Series) or not hasattr(row, "to_list") or not hasattr(row, "dtype"):
        return row
    values = row.to_list()
    labels = [str(name) for name in row.index] if hasattr(row, "index") else []
    if len(labels) == len(values) and set(labels) & set(schema.names):
        return dict(zip(labels, values, strict=True))
    return values


def _is_column(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple, np.ndarray, Series)) or hasattr(
        value, "to_list"
    )


def refuse_lacking(
    columns: Sequence[str],
    used: Collection[str],
    where: str,
    write: Callable[[str], str] = str,
) -> None:
    """Raise an error for a table without some columns that a model uses; ``write`` writes a name in a sentence."""
    present = set(columns)
    lacking = [write(name) for name in used if name not in present]
    if not lacking:
        return
    unused = [write(name) for name in columns if name not in used]
    seen = f"missing: {', '.join(_few(lacking))}"
    if unused:
        seen += f"      present but unused: {', '.join(_few(unused))}"
    raise DataError(
        f"{where} lacks {len(lacking):,} of the {len(used):,} columns that this model uses",
        slug="predict.missing-column",
        hints=[seen, "the model reads columns by name; their order does not matter"],
    )


def _few(names: list[str]) -> list[str]:
    return [*names[:MAX_LISTED], *(["…"] if len(names) > MAX_LISTED else [])]


def predict_array(model: Any, X: Any) -> NDArray[np.float64] | None:
    """Return the outputs of a model's forest for each row; None if X must take the slow path."""
    state = model.__dict__
    # Arrays have no feature names: let the slow path emit scikit-learn's warning.
    if type(X) is not np.ndarray or X.ndim != 2 or "feature_names_in_" in state:
        return None
    forest = model._output_forest() if "_forest" in state else None
    if type(forest) is not _core.Forest:
        return None
    return _core.predict_matrix(forest, X, threads_of(state.get("n_jobs")))


def predict_array_row(model: Any, row: Any) -> list[float] | None:
    """Return the outputs of a model's forest for one row; None if it must take the slow path."""
    forest = model._output_forest() if "_forest" in model.__dict__ else None
    if type(row) is not np.ndarray or type(forest) is not _core.Forest:
        return None
    return _core.predict_row(forest, row)
