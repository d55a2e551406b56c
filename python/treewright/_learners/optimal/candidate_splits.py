"""The splits that an optimal tree may have, as columns that the search reads: zeros and ones, or numbers.

Every split has two sides. A number is split by a threshold, categories by a set of them, and both by whether the value
is missing. The columns of the search are:

- of a number, either its values, so that every threshold is searched, or a column of zeros and ones for each threshold;
- of categories, a column of zeros and ones for each set where there are few categories, else for each category;
- with missing values all of this twice, once with them on either side, and one column for "is missing".

So a missing value may go to either side at each split, whatever makes fewer errors, and the proof covers this choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright.errors import DataError
from treewright.table import Series

__all__ = ["CandidateSplits", "SplitAt", "candidate_splits"]

MAX_DEPTH_OF_ALL = 3  # up to which "auto" means all thresholds
MAX_CUTS = 32  # thresholds of a column by quantiles
MAX_BITS = 256  # thresholds that are searched as columns of zeros and ones; more as numbers
MAX_SET_VALUES = 5  # categories of which every set is a split, missing values counted as one
MAX_CELLS = 1 << 31  # rows times columns of the search

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SplitAt:
    """A split that must be among the candidates: that of a tree which is known."""

    column: int
    threshold: float = float(
        "nan"
    )  # of a number; infinite where known values are told from missing ones
    left: frozenset[int] = frozenset()  # the codes of the categories on the left side


@dataclass
class CandidateSplits:
    """Columns of a search, and where each comes from.

    Parameters
    ----------
    rows : int
        The number of rows.
    columns : list of arrays
        Zeros and ones, or numbers; zeros and smaller numbers go left.
    sources : list of int
        The column of the table that each comes from.
    lefts : dict of int to frozenset
        Of a column that stands for a set of categories: the codes of those on the left side.
    is_complete : bool
        Whether every possible split is among them.
    has_table_cells : bool
        Whether every column of the search holds the cells of a column of the table.
    """

    rows: int
    columns: list[NDArray[Any]] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    lefts: dict[int, frozenset[int]] = field(default_factory=dict)
    is_complete: bool = True
    has_table_cells: bool = True
    table: _core.BitTable | None = None  # a table of zeros and ones as it is

    def add(self, source: int, values: NDArray[Any], left: frozenset[int] | None = None) -> None:
        """Add a column of the search that stands for a split, or for many."""
        if left is not None:
            self.lefts[len(self.columns)] = left
        self.has_table_cells = False
        self._append(source, values)

    def add_cells(self, source: int, values: NDArray[Any]) -> None:
        """Add a column of the table as it is."""
        self._append(source, values)

    def _append(self, source: int, values: NDArray[Any]) -> None:
        self.columns.append(values)
        self.sources.append(source)

    def cells(self) -> Any:
        """Return the columns as the search takes them."""
        if self.table is not None:
            return self.table
        if any(column.dtype == np.float64 for column in self.columns):
            return [column.astype(np.float64, copy=False) for column in self.columns]
        if not self.columns:
            return np.zeros((self.rows, 0), dtype=np.uint8)
        return np.stack(self.columns).T

    def source(self, column: int) -> int:
        """Return the column of the table that a column of the search comes from."""
        return self.sources[column]

    def goes_right(self, column: int, cut: float, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which rows are above a cut of a column of the search."""
        if self.table is not None:
            return self.table.column(column)[rows]
        right: NDArray[np.bool_] = self.columns[column][rows] > cut
        return right


def candidate_splits(
    data: TrainingData, binarize: str, max_depth: int, more: Sequence[SplitAt] = ()
) -> CandidateSplits:
    """Return the splits of a table that are searched, with those of ``more`` among them."""
    table, weights = data.table, data.weights
    if table.matrix is not None and table.matrix.core.bits:
        bits = _core.BitTable(table.matrix.core)
        return CandidateSplits(len(table), sources=list(range(len(table.columns))), table=bits)
    shallow = max_depth <= MAX_DEPTH_OF_ALL
    distinct = [_distinct(series) for series in table.series]
    few = sum(max(len(values) - 1, 0) for values in distinct) <= MAX_BITS
    # The search over the values of columns is one for classes.
    by_value = bool(data.n_classes) and shallow and not few and binarize != "quantiles"
    every = by_value or binarize == "all" or (binarize == "auto" and shallow and few)
    max_cuts = None if every else MAX_CUTS
    candidates = CandidateSplits(len(table))
    for source, series in enumerate(table.series):
        wanted = [split for split in more if split.column == source]
        if series.kind == "categorical":
            _add_sets(candidates, source, series, wanted)
        elif by_value:
            _add_numbers(candidates, source, series, distinct[source])
        else:
            column = (series, distinct[source])
            _add_thresholds(candidates, source, column, weights, max_cuts, wanted)
        if len(candidates.columns) * len(table) > MAX_CELLS:
            raise DataError(
                f"the table has too many splits to search: more than {len(candidates.columns):,} for {len(table):,} "
                "rows",
                slug="optimal.too-large",
                hints=["take a sample of the rows, or leave out columns with many values"],
            )
    return candidates


# ---- categories


def _add_sets(
    candidates: CandidateSplits, source: int, series: Series, wanted: Sequence[SplitAt]
) -> None:
    """Add a column for each set of categories, or if there are many for each category and the wanted sets."""
    present = np.unique(series.data).tolist()  # the code of a missing value is the largest
    if len(present) < 2:
        return
    if len(present) <= MAX_SET_VALUES:
        lefts = list(_sets(present))
    else:
        candidates.is_complete = False
        lefts = [frozenset({code}) for code in present]
        known = set(lefts)
        for split in wanted:
            left = split.left & frozenset(present)
            rest = frozenset(present) - left
            if left and rest and not {left, rest} & known:
                lefts.append(left)
                known.add(left)
    for left in lefts:
        is_right = ~np.isin(series.data, sorted(left))
        candidates.add(source, is_right.astype(np.uint8), left)


def _sets(codes: list[int]) -> Iterator[frozenset[int]]:
    """Yield one side of each division into two sets, single categories first."""
    half = len(codes) // 2
    for size in range(1, half + 1):
        for left in combinations(codes, size):
            if 2 * size < len(codes) or codes[0] in left:  # of two halves only one
                yield frozenset(left)


# ---- numbers


def _distinct(series: Series) -> Numbers:
    """Return the known values of a column of numbers in order, each once; of categories nothing."""
    if series.kind != "numeric":
        return np.empty(0)
    values = np.sort(series.data)  # missing ones last
    if len(values) and math.isnan(values[-1]):
        values = values[: np.searchsorted(values, np.nan)]
    is_first = np.empty(len(values), dtype=np.bool_)
    is_first[:1] = True
    np.not_equal(values[1:], values[:-1], out=is_first[1:])
    return values[is_first]


def _add_numbers(
    candidates: CandidateSplits, source: int, series: Series, distinct: Numbers
) -> None:
    """Add the values of a column, so that every threshold is searched; zeros and ones if there is only one."""
    values, absent = series.data, series.missing()
    has_missing = bool(absent.any())
    if len(distinct) + has_missing < 2:
        return
    if not has_missing:
        if len(distinct) == 2:
            candidates.add(source, (values > distinct[0]).astype(np.uint8))
        else:
            candidates.add_cells(source, values)
        return
    # A missing value stands below all numbers, or above: a cut next to it tells it from the known ones.
    ranks = np.searchsorted(distinct, values[~absent]).astype(np.float64)
    for place in (-1.0, float(len(distinct))):
        column = np.full(len(values), place)
        column[~absent] = ranks
        candidates.add(source, column)


def _add_thresholds(
    candidates: CandidateSplits,
    source: int,
    column: tuple[Series, Numbers],
    weights: Numbers | None,
    max_cuts: int | None,
    wanted: Sequence[SplitAt],
) -> None:
    """Add a column of zeros and ones for each threshold, or for so many and those of ``wanted``."""
    series, distinct = column
    values, absent = series.data, series.missing()
    has_missing = bool(absent.any())
    ranks = np.searchsorted(distinct, values[~absent])
    gaps = len(distinct) - 1  # the threshold of gap i is between the values i and i + 1
    chosen = np.arange(gaps)
    if max_cuts is not None and gaps > max_cuts:
        candidates.is_complete = False
        share = np.ones(len(ranks)) if weights is None else weights[~absent]
        chosen = _quantile_gaps(np.bincount(ranks, weights=share))
        cuts = np.array([split.threshold for split in wanted if np.isfinite(split.threshold)])
        asked = np.searchsorted(distinct, cuts, side="right") - 1
        chosen = np.union1d(chosen, asked[(asked >= 0) & (asked < gaps)])
    rank_of = np.zeros(len(values), dtype=np.int64)
    rank_of[~absent] = ranks
    for gap in chosen.tolist():
        is_right = rank_of > gap
        for missing_right in (False, True) if has_missing else (False,):
            is_right[absent] = missing_right
            candidates.add(source, is_right.astype(np.uint8))
    if has_missing and len(distinct):
        candidates.add(source, absent.astype(np.uint8))


def _quantile_gaps(weight_of: NDArray[Any]) -> NDArray[np.int64]:
    """Return the gaps between values that divide the rows into about equal parts.

    Examples
    --------
    >>> _quantile_gaps(np.ones(100))[:3].tolist(), len(_quantile_gaps(np.ones(100)))
    ([3, 6, 9], 32)
    """
    below = np.cumsum(weight_of)
    parts = below[-1] * np.arange(1, MAX_CUTS + 1) / (MAX_CUTS + 1)
    gaps = np.searchsorted(below, parts * (1 - 1e-12))
    return np.unique(np.minimum(gaps, len(weight_of) - 2))
