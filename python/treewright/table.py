"""A table of named columns: what ``read_csv`` and the built-in tables return, and what every estimator reads.

Every other container (numpy, pandas, Polars, Arrow, dictionaries) is converted to it first, so the same data gives the
same model in any container. A table is immutable.

Glossary: a numeric column holds float64 with NaN for missing; a categorical one holds codes (positions in its levels)
with ``MISSING``. Levels are *declared* if their owner listed them, used or not; otherwise they are the values that
occur, sorted, and a part of the table has only those of its own rows.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._catalog import public
from treewright._utils.numeric_columns import describe_numbers
from treewright.errors import DataError
from treewright.schema import Column, Kind, Level, Meaning, Schema, reads_old_pickles

if TYPE_CHECKING:
    from treewright._input.sparse import SparseMatrix

__all__ = ["MISSING", "Series", "Table"]

# Columns as the core reads them.
CoreColumns = _core.Matrix | _core.Sparse | list[NDArray[Any]]

MISSING = _core.MISSING


@reads_old_pickles
@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """One column with its values.

    Parameters
    ----------
    name : str
        The column's name.
    kind : {"numeric", "categorical"}
        What it holds.
    data : ndarray
        float64 numbers, or uint32 codes.
    levels : tuple, default=()
        The categories that the codes stand for.
    declared : bool, default=False
        Whether the levels were listed by their owner, including those that do not occur.
    ordered : bool, default=False
        Whether the order of the levels means something: trees cut them there.
    meaning : Meaning or None, default=None
        What the numbers stand for, or that texts are dates.

    Examples
    --------
    >>> Series.of("wind", ["weak", None, "strong"]).values()
    ['weak', None, 'strong']
    """

    name: str
    kind: Kind
    data: NDArray[Any]
    levels: tuple[Level, ...] = ()
    declared: bool = False
    ordered: bool = False
    meaning: Meaning | None = None

    @classmethod
    def of(cls, name: str, values: Iterable[Any], levels: Sequence[Level] | None = None) -> Series:
        """Make a column from Python values; ``levels`` declares its categories and their order.

        Examples
        --------
        >>> Series.of("n", [1, 2.5, None]).kind
        'numeric'
        >>> Series.of("size", ["S", "L"], levels=["S", "M", "L"]).levels
        ('S', 'M', 'L')
        """
        from treewright._input.columns import from_values

        return from_values(name, values, levels)

    @property
    def column(self) -> Column:
        """The column's description without its values."""
        is_text = self.kind == "categorical" and not (self.meaning and self.meaning.other)
        meaning = None if is_text else self.meaning
        return Column(self.name, self.kind, self.levels, meaning=meaning)

    @property
    def are_dates(self) -> bool:
        """Whether the categories are dates, written as text."""
        return self.meaning is not None and self.meaning.part == "dates"

    def missing(self) -> NDArray[np.bool_]:
        """Return which rows are missing."""
        absent: NDArray[np.bool_]
        absent = np.isnan(self.data) if self.kind == "numeric" else self.data == MISSING
        return absent

    def values(self) -> list[Any]:
        """Return the values as Python objects, None where missing."""
        if self.kind == "numeric":
            order = () if self.meaning is None else self.meaning.order
            return [None if x != x else order[int(x)] if order else x for x in self.data.tolist()]
        return [None if c == MISSING else self.levels[c] for c in self.data.tolist()]

    def take(self, rows: Any) -> Series:
        """Return the column of some rows; undeclared levels that no row holds are dropped."""
        part = replace(self, data=self.data[rows])
        return part if self.kind == "numeric" or self.declared else part.compact()

    def compact(self) -> Series:
        """Return the column with only the levels that occur."""
        present = np.unique(self.data[self.data != MISSING])
        if len(present) == len(self.levels):
            return self
        recode = np.full(len(self.levels) + 1, MISSING, dtype=np.uint32)
        recode[present] = np.arange(len(present), dtype=np.uint32)
        codes = recode[np.minimum(self.data, len(self.levels))]
        return replace(self, data=codes, levels=tuple(self.levels[i] for i in present.tolist()))


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Finite numbers in rows and columns, which the core reads without a copy.

    The owner of the array must not write to it while it is in use.
    """

    array: NDArray[np.floating[Any]]
    core: _core.Matrix

    @classmethod
    def of(cls, array: NDArray[Any]) -> Matrix | None:
        """Return a matrix of finite numbers, or None for any other array.

        Examples
        --------
        >>> Matrix.of(np.array([[1.0, np.nan]])) is None
        True
        """
        if array.ndim != 2 or array.size == 0:
            return None
        if array.dtype.kind in "iu":
            # Single precision holds integers up to 2^24, double precision up to 2^53.
            largest = max(abs(int(array.min())), abs(int(array.max())))
            if largest > 2**53:
                return None
            array = array.astype(np.float32 if largest <= 2**24 else np.float64)
        if array.dtype not in (np.float32, np.float64):
            return None
        array = np.require(array, requirements="A")
        core = _core.Matrix(array)
        return cls(array, core) if core.finite else None

    def __reduce__(self) -> tuple[Any, ...]:
        return Matrix.of, (self.array,)


@public
class Table:
    """Named columns of one length.

    Parameters
    ----------
    columns : sequence of Series
        The columns; their names must differ.

    Examples
    --------
    >>> t = Table([Series.of("wind", ["weak", "strong"]), Series.of("age", [3, 4])])
    >>> t.shape, t.columns, t["age"]
    ((2, 2), ['wind', 'age'], [3.0, 4.0])
    >>> t[:1].to_dict()
    {'wind': ['weak'], 'age': [3.0]}
    """

    # The columns of the schema by which the table is coded, if that is known.
    _coded_by: tuple[Column, ...] | None = None

    def __init__(self, columns: Sequence[Series]) -> None:
        self.matrix: Matrix | None = None
        self.sparse: SparseMatrix | None = None
        self._series: tuple[Series, ...] | None = tuple(columns)
        self._names: Sequence[str] = [s.name for s in self._series]
        if len(self._places) < len(self._names):
            twice = next(name for name in self._names if self._names.count(name) > 1)
            raise DataError(f'two columns are called "{twice}"', slug="data.duplicate-column")
        lengths = {len(s.data) for s in self._series}
        if len(lengths) > 1:
            sizes = ", ".join(f"{s.name}: {len(s.data)}" for s in self._series[:6])
            raise DataError(f"the columns differ in length ({sizes})", slug="data.lengths")
        self._rows = lengths.pop() if lengths else 0

    @classmethod
    def of_matrix(cls, matrix: Matrix, names: Sequence[str]) -> Table:
        """Make a table of a matrix of finite numbers, which is copied only if a column is read.

        Examples
        --------
        >>> Table.of_matrix(Matrix.of(np.array([[1.0, 2.0]])), ["a", "b"]).to_dict()
        {'a': [1.0], 'b': [2.0]}
        """
        return cls.__new__(cls)._hold(matrix, None, names, len(matrix.array))

    @classmethod
    def _of_sparse(cls, sparse: SparseMatrix, names: Sequence[str]) -> Table:
        """Make a table of a sparse matrix, of which a column takes the memory of all its rows only if it is read.

        Examples
        --------
        >>> from scipy.sparse import csr_array
        >>> from treewright._input.sparse import SparseMatrix
        >>> Table._of_sparse(SparseMatrix.of(csr_array([[0, 2]]), ["a", "b"]), ["a", "b"]).to_dict()
        {'a': [0.0], 'b': [2.0]}
        """
        return cls.__new__(cls)._hold(None, sparse, names, sparse.array.shape[0])

    def _hold(self, matrix: Any, sparse: Any, names: Sequence[str], rows: int) -> Table:
        self.matrix, self.sparse, self._series = matrix, sparse, None
        self._names, self._rows = tuple(names), rows
        return self

    @cached_property
    def _places(self) -> dict[str, int]:
        """The place of each column by its name."""
        return {name: place for place, name in enumerate(self._names)}

    @classmethod
    def of_codes(cls, columns: Sequence[NDArray[Any]], schema: Schema) -> Table:
        """Make a table of arrays that are already coded by a schema; predictions read them as they are.

        Examples
        --------
        >>> schema = Schema((Column("wind", "categorical", ("strong", "weak")),))
        >>> Table.of_codes([np.array([1, 0], dtype=np.uint32)], schema).to_dict()
        {'wind': ['weak', 'strong']}
        """
        pairs = zip(schema.columns, columns, strict=True)
        table = cls(
            [
                Series(c.name, c.kind, data, c.levels, declared=True, meaning=c.meaning)
                for c, data in pairs
            ]
        )
        table._remember_schema(schema)
        return table

    def _remember_schema(self, schema: Schema) -> None:
        """Note that the columns are those of a schema, in its order and coded by its levels; if not, do nothing."""
        if schema.columns == self.described:
            self._coded_by = schema.columns

    def conforms_to(self, schema: Schema) -> bool:
        """Whether the table is known to be coded by a schema.

        Examples
        --------
        >>> Table([Series.of("age", [3, 4])]).conforms_to(Schema((Column("age", "numeric"),)))
        False
        """
        return self._coded_by is not None and self._coded_by == schema.columns

    @property
    def _core_columns(self) -> CoreColumns:
        """The columns as the core reads them: a matrix where there is one, else an array a column."""
        matrix = self._core_matrix
        return [s.data for s in self.series] if matrix is None else matrix

    @property
    def _core_matrix(self) -> _core.Matrix | _core.Sparse | None:
        """All columns as one object of the core; None for a table of single columns."""
        matrix = self.matrix or self.sparse
        return None if matrix is None else matrix.core

    def _densify(self) -> Table:
        """Return a sparse table as one of all its numbers, if that is not too large; any other table as it is."""
        if self.sparse is None:
            return self
        from treewright._input.containers import as_table
        from treewright._input.sparse import to_dense

        return as_table(to_dense(self.sparse.array), self._names)

    @property
    def series(self) -> tuple[Series, ...]:
        """The columns with their values."""
        if self._series is None and self.sparse is not None:
            return self._densify().series
        if self._series is None:
            assert self.matrix is not None
            # All columns in one copy, in which -0.0 becomes 0.0: nothing is left to check.
            numbers = np.add(self.matrix.array.T, 0.0, dtype=np.float64, order="C")
            pairs = zip(self._names, numbers, strict=True)
            self._series = tuple(Series(name, "numeric", column) for name, column in pairs)
        return self._series

    @property
    def described(self) -> tuple[Column, ...]:
        """The columns without their values."""
        if self._series is not None and self.matrix is None:
            return tuple(s.column for s in self._series)
        return describe_numbers(tuple(self._names))

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self._names)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._rows, len(self._names)

    def __len__(self) -> int:
        return self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self.column(key).values()
        if isinstance(key, tuple):  # scikit-learn reads X[rows, ...]
            if len(key) != 2 or not isinstance(key[1], types.EllipsisType):
                raise TypeError("a table is indexed by rows or by a column's name")
            key = key[0]
        if isinstance(key, (int, np.integer)):
            key = [int(key)]
        if self.sparse is not None:
            rows = type(self.sparse).of(self.sparse.array[key], self._names)
            return Table._of_sparse(rows, self._names)
        part = None if self.matrix is None else Matrix.of(self.matrix.array[key])
        if part is not None:
            return Table.of_matrix(part, self._names)
        return Table([s.take(key) for s in self.series])

    def column(self, name: str) -> Series:
        """Return a column by its name."""
        try:
            place = self._places[name]
            if self.sparse is not None:
                return Series(name, "numeric", self.sparse.column(place))
            return self.series[place]
        except KeyError:
            raise DataError(
                f'the table has no column "{name}"',
                slug="data.no-such-column",
                hints=[f"columns: {', '.join(self.columns)}"],
            ) from None

    def select(self, names: str | Iterable[str]) -> Table:
        """Return the table of these columns, or of this one, in this order."""
        return Table([self.column(name) for name in _list_names(names)])

    def drop(self, names: str | Iterable[str]) -> Table:
        """Return the table without these columns, or without this one."""
        gone = {self.column(name).name for name in _list_names(names)}
        return Table([s for s in self.series if s.name not in gone])

    def map(self, change: Callable[[Series], Series]) -> Table:
        """Return the table with every column changed; the table itself if no column changes."""
        changed = [change(s) for s in self.series]
        same = all(new is old for new, old in zip(changed, self.series, strict=True))
        return self if same else Table(changed)

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the columns as lists of Python values, None where missing."""
        return {s.name: s.values() for s in self.series}

    def to_pandas(self) -> Any:
        """Return a pandas DataFrame; declared levels become categories in their order (needs pandas)."""
        import pandas as pd

        data: dict[str, Any] = {}
        for s in self.series:
            data[s.name] = (
                pd.Categorical(s.values(), categories=list(s.levels), ordered=s.ordered)
                if s.declared
                else s.values()
            )
        return pd.DataFrame(data)

    def __repr__(self) -> str:
        return f"<Table: {self._rows} rows, {', '.join(self.columns)}>"


def _list_names(names: str | Iterable[str]) -> Iterable[str]:
    """Return a list of names; a text is one name."""
    return [names] if isinstance(names, str) else names
