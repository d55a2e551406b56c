"""``nearest``: the nearest rows of a table, as a plain function."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright._input.columns import to_levels
from treewright._input.containers import as_table, is_named
from treewright._input.dataframes import is_frame
from treewright._input.source_columns import prepare_training
from treewright._learners.neighbors.metric import Space
from treewright._learners.neighbors.neighbors_base import arrange_table, columns_of
from treewright._utils.validation import check_integer, threads_of
from treewright.errors import DataError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["Nearest", "nearest"]


class Nearest(NamedTuple):
    """The nearest rows: a row for each query, the nearest first.

    Parameters
    ----------
    rows : ndarray of int
        Row numbers.
    distances : ndarray of float
        Their distances.

    Examples
    --------
    >>> nearest([[0.0], [4.0], [5.0]], [[4.2]], 2).rows.tolist()
    [[1, 2]]
    """

    rows: NDArray[np.int64]
    distances: NDArray[np.float64]


def nearest(
    X: Any,
    query: Any,
    k: int = 1,
    *,
    metric: str = "auto",
    p: float = 2,
    scale: str | None = "auto",
    column_weights: Any = None,
    n_jobs: int | None = None,
) -> Nearest:
    """Find the k nearest rows of a table for each row of another; the search is exact.

    Ties in distance go to the smaller row number.

    Parameters
    ----------
    X : table
        The rows to search: numpy array, pandas, Polars or Arrow frame, dict of lists, list of dicts, or Table.
    query : table
        The rows to search for, with the same columns.
    k : int, default=1
        The number of rows to find; all rows if there are fewer.
    metric : str, default="auto"
        As in :class:`~treewright.KNeighborsClassifier`; so are the next three.
    p : float, default=2
        The power of "minkowski".
    scale : {"auto", "range", "standard"} or None, default="auto"
        What numbers are divided by, fitted on X.
    column_weights : mapping or sequence, default=None
        The weight of a difference in each column.
    n_jobs : int or None, default=None
        The largest number of threads; None means all that the process may use. The result does not depend on it.

    Returns
    -------
    Nearest
        Row numbers and distances.

    Examples
    --------
    >>> from treewright import nearest
    >>> near = nearest([[0, 0], [3, 4], [6, 8]], [[0, 1], [5, 5]], k=2)
    >>> near.rows.tolist(), near.distances.round(2).tolist()
    ([[0, 1], [1, 2]], [[1.0, 4.24], [2.24, 3.16]])

    Categories and missing values are allowed:

    >>> cars = {"fuel": ["gas", "diesel", "gas"], "power": [60, None, 150]}
    >>> nearest(cars, {"fuel": ["gas"], "power": [140]}).rows.tolist()
    [[2]]
    """
    k = check_integer("k", k, minimum=1)
    threads = threads_of(n_jobs)
    table = _read_table(X, metric)
    schema = Schema(table.described)
    query_table = _read_queries(query, schema)
    space = Space.of(
        schema,
        columns_of(table, schema),
        metric=metric,
        p=p,
        scale=scale,
        column_weights=column_weights,
        complete=table.matrix is not None,
    )
    queries = arrange_table(query_table, schema, space)
    index = space.index(arrange_table(table, schema, space), threads)
    rows, distances = index.search(queries.numbers, queries.codes, k, threads)
    return Nearest(rows.astype(np.int64), distances)


def _read_table(X: Any, metric: Any) -> Table:
    table = as_table(X)
    for size, what in zip(table.shape, ("row", "column"), strict=True):
        if size == 0:
            raise DataError(f"there is no {what} in X to search", slug="data.empty")
    table = prepare_training(table)
    return table.map(to_levels) if metric == "hamming" else table


def _read_queries(query: Any, schema: Schema) -> Table:
    table = as_table(query)
    if is_named(query) or is_frame(query):
        return table.select(schema.names)
    if table.shape[1] != len(schema.columns):
        raise DataError(
            f"the query has {table.shape[1]} columns, X has {len(schema.columns)}",
            slug="data.columns",
        )
    if table.matrix is not None:
        return Table.of_matrix(table.matrix, schema.names)
    return Table([replace(s, name=n) for s, n in zip(table.series, schema.names, strict=True)])
