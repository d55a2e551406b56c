"""Sparse matrices of scipy: only the stored numbers are read, column by column.

A matrix in any format becomes one form: columns one behind the other, rows ascending, duplicates added up, no stored
zeros. So the same numbers give the same model, stored in whatever way. Small matrices and those that are not sparse
become ordinary arrays, which are faster to work with.

Booleans are the numbers 0 and 1 here: a sparse matrix has no categories.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.columns import refuse_infinity, refuse_large
from treewright.errors import DataError

__all__ = ["SparseMatrix", "is_sparse", "is_worth_densifying", "to_dense"]

SMALL_CELLS = 1 << 21  # a table of fewer cells is an array of at most 16 MB
DENSE_SHARE = 1 / 8  # a table of which a larger share is stored takes no less memory than an array
MAX_DENSE_CELLS = 1 << 28  # as numbers of double precision: 2 GiB


def is_sparse(X: Any) -> bool:
    """Whether a container is a sparse matrix or array of scipy.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> is_sparse(csr_array([[0, 1]])), is_sparse([[0, 1]])
    (True, False)
    """
    if not hasattr(X, "tocsc"):  # spares the import
        return False
    from scipy.sparse import issparse  # type: ignore[import-untyped]

    return bool(issparse(X))


def is_worth_densifying(X: Any) -> bool:
    """Whether a sparse matrix is small, or dense enough, to become an ordinary array."""
    cells = X.shape[0] * X.shape[1]
    is_full = X.nnz >= DENSE_SHARE * cells
    return bool(cells <= SMALL_CELLS or (cells <= MAX_DENSE_CELLS and is_full))


def to_dense(X: Any) -> NDArray[Any]:
    """Return a sparse matrix as an array, if that is not too large; booleans become numbers.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> to_dense(csr_array([[False, True]]))
    array([[0, 1]], dtype=uint8)
    """
    rows, columns = X.shape
    if rows * columns > MAX_DENSE_CELLS:
        raise DataError(
            f"a sparse matrix of {rows:,} rows and {columns:,} columns would take "
            f"{rows * columns * 8 / 1e9:,.0f} GB here, where every number is stored",
            slug="data.sparse-too-large",
            hints=[
                "CART, random forests, extra trees and gradient boosting read sparse matrices as they are",
                "or keep fewer columns: the max_features of a vectorizer, SelectKBest, TruncatedSVD",
            ],
        )
    array: NDArray[Any] = X.toarray()
    return array.astype(np.uint8) if array.dtype == np.bool_ else array


@dataclass(frozen=True, slots=True, eq=False)
class SparseMatrix:
    """The stored numbers of a matrix: for Python, and a copy for the core that nobody can write to."""

    array: Any  # scipy.sparse.csc_array
    core: _core.Sparse

    @classmethod
    def of(cls, X: Any, names: Sequence[str]) -> SparseMatrix:
        """Return the numbers of a sparse matrix of scipy, which is not changed.

        Examples
        --------
        >>> from scipy.sparse import coo_array
        >>> twice = coo_array(([1.0, 2.0, 0.0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
        >>> SparseMatrix.of(twice, ["a", "b"]).array.data
        array([3.])
        """
        from scipy.sparse import csc_array

        array = csc_array(X, copy=True)
        array.sum_duplicates()
        if array.dtype.kind in "iu" and array.nnz:
            column = int(np.searchsorted(array.indptr, int(abs(array.data).argmax()), "right")) - 1
            refuse_large(names[column], int(array.data.min()), int(array.data.max()))
        array = array.astype(np.float64, copy=False)
        array.eliminate_zeros()
        infinite = np.flatnonzero(np.isinf(array.data))
        if len(infinite):
            place = int(infinite[0])
            column = int(np.searchsorted(array.indptr, place, "right")) - 1
            refuse_infinity(names[column], int(array.indices[place]), float(array.data[place]))
        core = _core.Sparse(
            array.shape[0],
            array.indptr.astype(np.uint64),
            array.indices.astype(np.uint32),
            array.data,
        )
        return cls(array, core)

    def column(self, place: int) -> NDArray[np.float64]:
        """Return all numbers of a column."""
        numbers = np.zeros(self.array.shape[0])
        stored = slice(self.array.indptr[place], self.array.indptr[place + 1])
        numbers[self.array.indices[stored]] = self.array.data[stored]
        return numbers

    def stored(self, place: int) -> NDArray[np.float64]:
        """Return the stored numbers of a column, missing ones left out."""
        numbers: NDArray[np.float64] = self.array.data[
            self.array.indptr[place] : self.array.indptr[place + 1]
        ]
        return numbers[~np.isnan(numbers)]

    def count(self, holds: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return for how many stored numbers of each column something holds."""
        sums = np.concatenate([[0], np.cumsum(holds)])
        counts: NDArray[np.int64] = np.diff(sums[self.array.indptr])
        return counts

    def missing(self) -> NDArray[np.int64]:
        """Return how many numbers of each column are missing."""
        return self.count(np.isnan(self.array.data))
