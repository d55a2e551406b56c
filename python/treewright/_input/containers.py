"""From any container to a :class:`~treewright.table.Table`.

numpy arrays, sparse matrices, pandas, Polars and Arrow frames, dictionaries of lists, lists of dictionaries and lists
of rows all become the same table, so the same data gives the same model in any container. ``columns`` defines what a
column may hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.columns import from_values
from treewright._input.sparse import SparseMatrix, is_sparse, is_worth_densifying, to_dense
from treewright._utils.numeric_columns import default_names
from treewright.errors import DataError
from treewright.table import Matrix, Series, Table

__all__ = ["as_table", "by_columns", "from_array", "is_named", "rows_to_array", "take"]


def as_table(X: Any, names: Sequence[str] | None = None) -> Table:
    """Turn a container into a table.

    Parameters
    ----------
    X : table
        A Table, a pandas, Polars or Arrow frame, a dict of columns, a list of dicts, a 2-D array or list of rows, or
        a sparse matrix of scipy.
    names : sequence of str, optional
        Names for the columns of an array; otherwise x0, x1, ...

    Examples
    --------
    >>> as_table([{"a": 1, "b": "x"}, {"a": 2}]).to_dict()
    {'a': [1.0, 2.0], 'b': ['x', None]}
    """
    if isinstance(X, Table):
        return X
    if is_named(X):
        return Table([from_values(str(name), cells) for name, cells in by_columns(X).items()])
    from treewright._input.dataframes import from_frame, is_frame

    if is_frame(X):
        return from_frame(X)
    if is_sparse(X):
        return _from_sparse(X, names)
    return from_array(np.asanyarray(rows_to_array(X)), names)


def is_named(X: Any) -> bool:
    """Whether columns are found by name, in any order: in our own table and in plain dictionaries."""
    if hasattr(X, "tocsr"):  # some sparse matrices are dictionaries too
        return False
    if isinstance(X, (Table, Mapping)):
        return True
    return isinstance(X, Sequence) and len(X) > 0 and all(isinstance(row, Mapping) for row in X)


def rows_to_array(X: Any) -> Any:
    """Return a list of rows as an array of the same objects; anything else as it is.

    numpy on its own would turn ``["a", 1]`` into two texts.
    """
    if not isinstance(X, (list, tuple)):
        return X
    array = np.array(X, dtype=object)
    if array.ndim == 1 and len(X) and all(isinstance(row, (list, tuple, np.ndarray)) for row in X):
        row = next(i for i, row in enumerate(X) if len(row) != len(X[0]))
        raise DataError(
            f"row {row} has {len(X[row])} values, row 0 has {len(X[0])}",
            slug="data.ragged-row",
            hints=["fill the gaps with None"],
        )
    return array


def by_columns(X: Mapping[Any, Any] | Sequence[Mapping[Any, Any]]) -> Mapping[Any, Any]:
    """Return a dictionary of columns, or rows that are dictionaries, as a dictionary of columns."""
    if isinstance(X, Mapping):
        return X
    names = dict.fromkeys(name for row in X for name in row)
    return {name: [row.get(name) for row in X] for name in names}


def take(container: Any, rows: NDArray[np.int64]) -> Any:
    """Return some rows of a table or of a column; containers that scikit-learn knows stay what they are."""
    if isinstance(container, Series):
        return container.take(rows)
    from sklearn.utils import _safe_indexing

    return _safe_indexing(as_table(container) if is_named(container) else container, rows)


def _from_sparse(X: Any, names: Sequence[str] | None) -> Table:
    _check_dimensions(X)
    names = _name_columns(X, names)
    if X.dtype.kind in "biuf" and not is_worth_densifying(X):
        matrix = SparseMatrix.of(X, names)
        # A column without any value has no kind: single columns can have that.
        if (matrix.missing() < X.shape[0]).all():
            return Table._of_sparse(matrix, names)
    return from_array(to_dense(X), names)


def from_array(X: NDArray[Any], names: Sequence[str] | None = None) -> Table:
    """Turn an array of rows and columns into a table."""
    _check_dimensions(X)
    names = _name_columns(X, names)
    matrix = None if isinstance(X, np.ma.MaskedArray) else Matrix.of(X)
    if matrix is not None:
        return Table.of_matrix(matrix, names)
    return Table([from_values(name, X[:, i]) for i, name in enumerate(names)])


def _check_dimensions(X: Any) -> None:
    if X.ndim != 2:
        raise DataError(
            f"expected a table with rows and columns, got an array of {X.ndim} dimension(s)",
            slug="data.not-a-table",
        )


def _name_columns(X: Any, names: Sequence[str] | None) -> tuple[str, ...]:
    return default_names(X.shape[1]) if names is None else tuple(map(str, names))
