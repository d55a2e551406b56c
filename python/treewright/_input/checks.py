"""The rows of ``fit`` and ``predict``: any container becomes a table that fits the model, or an error says why not.

Our own tables and plain dictionaries are read by column name, in any order. Data frames follow scikit-learn's rule:
same names, same order. Arrays and lists of rows have no names; their columns are read by position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from treewright._input.columns import from_values
from treewright._input.containers import as_table, by_columns, from_array, is_named, rows_to_array
from treewright._input.encoding import refuse_lacking
from treewright._input.source_columns import find_source, is_derived, model_series, source_names
from treewright.errors import DataError, printable
from treewright.schema import Schema
from treewright.table import Series, Table

__all__ = ["read_rows", "read_training"]


def read_training(model: Any, X: Any) -> Table:
    """Return the training table, and set the names and the number of its columns on the model."""
    if type(X) is np.ndarray and X.ndim == 2 and X.size and X.dtype.kind in "biuf":
        # What scikit-learn's check does with such an array, which is a large part of a small fit.
        model.n_features_in_ = X.shape[1]
        model.__dict__.pop("feature_names_in_", None)
        return from_array(X)
    if is_named(X):
        table = as_table(X)
        model.n_features_in_ = table.shape[1]
        model.feature_names_in_ = np.array(table.columns, dtype=object)
    else:
        table = _read(model, X, None)
        if not getattr(model, "_learns_sparse", False):
            table = table._densify()
    for size, what in zip(table.shape, ("sample", "feature"), strict=True):
        if size == 0:
            raise DataError(
                f"Found a table with 0 {what}(s) (shape={table.shape}) while a minimum of 1 is required.",
                slug="data.empty",
            )
    return table


def read_rows(model: Any, X: Any, schema: Schema) -> Table:
    """Return the rows to predict, as a table with the columns of the schema.

    A table may lack columns that the model does not use. Rows that are dictionaries may lack any column: it is missing.
    """
    if isinstance(X, Table) and X.conforms_to(schema):
        return X
    if is_named(X):
        return _read_by_name(model, X, schema)
    if is_derived(schema) and _has_sources(X, schema):
        return _read_by_name(model, as_table(X), schema)
    table = _read(model, X, schema.names)
    if model._kind == "neighbors":  # distances need every number
        table = table._densify()
    if hasattr(model, "feature_names_in_") or table._core_matrix is not None:
        return table
    return Table([replace(s, name=n) for s, n in zip(table.series, schema.names, strict=True)])


def _has_sources(X: Any, schema: Schema) -> bool:
    """Whether a data frame holds the dates whose parts the model reads, not the parts."""
    from treewright._input.dataframes import is_frame, open_frame

    if not is_frame(X):
        return False
    names = set(open_frame(X).columns)
    return not names.issuperset(schema.names) and names.issuperset(c.source for c in schema.columns)


def _read_by_name(model: Any, X: Any, schema: Schema) -> Table:
    """Read the columns of the schema by their names."""
    if isinstance(X, Table):
        columns: Mapping[str, Any] = {series.name: series for series in X.series}
    else:
        columns = {str(name): cells for name, cells in by_columns(X).items()}
    by_rows = not isinstance(X, (Table, Mapping))
    needed = {*schema.names, *source_names(schema, schema.names)}
    unknown = [name for name in columns if name not in needed]
    sources = {column.name: find_source(columns, column) for column in schema.columns}
    # Beside an unknown name, a missing one may be a typing mistake.
    if None in sources.values() and not (by_rows and not unknown):
        derived = [name for name, source in sources.items() if source is not None]
        present = [*columns, *(name for name in derived if name not in columns)]
        refuse_lacking(present, model._used_columns(), "the table", printable)
    known = {
        column.name: model_series(from_values(source, columns[source]), column)
        for column in schema.columns
        if (source := sources[column.name]) is not None
    }
    if isinstance(X, Mapping):
        first = known or columns
        rows = len(from_values("", next(iter(first.values()))).data) if first else 0
    else:
        rows = len(X)
    nothing = np.full(rows, np.nan)
    return Table([known.get(name) or Series(name, "numeric", nothing) for name in schema.names])


def _read(model: Any, X: Any, names: Sequence[str] | None) -> Table:
    """Read a data frame or an array; ``names`` is None for a training table."""
    from treewright._input.dataframes import is_frame, open_frame

    reset = names is None

    if is_frame(X):
        frame = open_frame(X)
        try:
            validate_data(model, frame.to_native(), reset=reset, skip_check_array=True)
        except ValueError as error:  # its message may hold control characters of names
            names = [*getattr(model, "feature_names_in_", ()), *frame.columns]
            if all(str(name).isprintable() for name in names):
                raise
            raise ValueError(_with_printable(str(error), names)) from None
        return as_table(frame)
    # Text stays text. Numbers may be missing; infinite ones raise an error later, with the name of the column.
    array = validate_data(
        model,
        rows_to_array(X),
        reset=reset,
        accept_sparse="csc",
        dtype=None,
        ensure_all_finite=False,
        ensure_min_samples=0,
    )
    return as_table(array, names)


def _with_printable(message: str, names: Sequence[Any]) -> str:
    """Return a message in which every name is written without control characters."""
    for name in sorted(map(str, names), key=len, reverse=True):
        message = message.replace(name, printable(name)) if name else message
    return message
