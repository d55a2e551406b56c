"""Notes on the columns of a training table: whether values are missing, and how many decimals they have.

Views use them to write "or missing" only if training had missing values, and 99.45 for 99.44999999999999. Predictions
do not depend on them, and they do not depend on the order of the rows.

Every number is read once, in blocks that fit the cache; a column of arbitrary doubles is abandoned at its first block.
In large tables, where this would slow down the fit, only integers and single precision are noted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.short_numbers import write_cut
from treewright._input.sparse import SparseMatrix
from treewright.schema import Column, Schema
from treewright.table import Series, Table

__all__ = ["join_notes", "note_cuts", "note_cuts_of", "note_values"]

BLOCK = 1 << 15  # numbers read at a time
SAMPLE = 256  # rows read first: enough to recognize most columns of arbitrary numbers
MAX_DECIMALS = 6  # values with more are not on a grid
MAX_EXACT = 2.0**53 / 10**MAX_DECIMALS  # below it, a value times 10^6 is exact
MAX_CELLS = 1 << 21  # a larger table is not searched for decimals
MAX_CELLS_FOR_CUTS = 1 << 17  # a larger table is not searched for the values next to each threshold
SINGLE = 2.0**-23  # relative distance of neighboring numbers of single precision
MAX_CUT_DECIMALS = 16  # a threshold that needs more is written in full

Note = tuple[int | None, bool]
# From the coarsest to the finest: decimals in double precision, in single precision, single precision alone, nothing.
NOTES: tuple[Note, ...] = (
    *((d, False) for d in range(MAX_DECIMALS + 1)),
    *((d, True) for d in range(MAX_DECIMALS + 1)),
    (None, True),
    (None, False),
)
LAST = len(NOTES) - 1
NOTHING = NOTES[LAST]


def note_values(schema: Schema, table: Table) -> Schema:
    """Return the schema with notes: whether a column has missing values, and the decimals of its numbers."""
    large = len(table) * len(schema.columns) > MAX_CELLS
    if table.sparse is not None:
        digits = _sparse_digits(table.sparse, large)
        missing = (table.sparse.missing() > 0).tolist()
    elif table.matrix is not None:
        array = table.matrix.array
        if large:
            integers = table.matrix.core.integral
            digits = [_coarse(array[:, i], integers[i]) for i in range(len(integers))]
        else:
            digits = _digits(array)
        missing = [False] * len(digits)
    else:
        absent = [series.missing() for series in table.series]
        missing = [bool(rows.any()) for rows in absent]
        digits = [
            _digits_of(series, rows if gaps else None, large)
            for series, rows, gaps in zip(table.series, absent, missing, strict=True)
        ]
    columns = [
        replace(column, missing=gaps, decimals=decimals, single=single)
        for column, gaps, (decimals, single) in zip(schema.columns, missing, digits, strict=True)
    ]
    return replace(schema, columns=tuple(columns))


def _sparse_digits(sparse: SparseMatrix, large: bool) -> list[Note]:
    """Return the note of each column; every note holds for zeros."""
    width = sparse.array.shape[1]
    if not large:
        return [_digits(sparse.stored(place)[:, None])[0] for place in range(width)]
    numbers = sparse.array.data
    fractions = sparse.count(np.rint(numbers) != numbers) - sparse.missing()
    doubles = sparse.count(_single(numbers) != numbers) - sparse.missing()
    pairs = zip(fractions.tolist(), doubles.tolist(), strict=True)
    return [NOTES[0] if not fraction else (None, not double) for fraction, double in pairs]


def _digits_of(series: Series, absent: NDArray[np.bool_] | None, large: bool) -> Note:
    if series.kind != "numeric":
        return NOTHING
    if large:
        return _coarse(series.data)
    numbers = series.data if absent is None else series.data[~absent]
    return _digits(numbers[:, None])[0]


def _coarse(numbers: NDArray[np.floating[Any]], integers: bool | None = None) -> Note:
    """Return whether a column holds integers, single precision or neither, missing values apart.

    ``integers`` is given if it is known.
    """
    if integers is None:
        integers = _holds_for_all(numbers, lambda block: np.rint(block) == block)
    if integers:
        return NOTES[0]
    single = numbers.dtype == np.float32
    return None, single or _holds_for_all(numbers, lambda block: _single(block) == block)


def _holds_for_all(
    numbers: NDArray[Any], holds: Callable[[NDArray[Any]], NDArray[np.bool_]]
) -> bool:
    """Whether something holds for all numbers; most columns fail at the first few."""
    starts = (0, *range(SAMPLE, len(numbers), BLOCK))
    ends = (*starts[1:], len(numbers))
    blocks = (numbers[a:b] for a, b in zip(starts, ends, strict=True))
    return all(np.count_nonzero(holds(b)) + np.count_nonzero(b != b) == len(b) for b in blocks)


def _digits(array: NDArray[np.floating[Any]]) -> list[Note]:
    """Return the first of NOTES that holds for all values, for each column of finite numbers."""
    rows, width = array.shape
    place, largest = np.zeros(width, dtype=np.intp), np.zeros(width)
    columns = np.arange(width)  # those that are not decided yet
    start, end = 0, SAMPLE
    while start < rows and len(columns):
        part = array[start:end] if len(columns) == width else array[start:end, columns]
        block = np.asarray(part, dtype=np.float64)
        place[columns] = _advance(place[columns], block)
        if not -MAX_EXACT < block.min() <= block.max() < MAX_EXACT:
            largest[columns] = np.maximum(largest[columns], np.abs(block).max(axis=0))
        # Decided: arbitrary numbers, and float32 arrays without decimals.
        decided = place[columns] == LAST
        decided |= (place[columns] == LAST - 1) & (array.dtype == np.float32)
        columns = columns[~decided]
        start, end = end, end + max(SAMPLE, BLOCK // max(1, len(columns)))
    # Above MAX_EXACT, a note for few decimals may fail for more, and the order of rows would matter.
    place[(place > 0) & (largest >= MAX_EXACT)] = LAST
    for i in np.flatnonzero((place > MAX_DECIMALS) & (place < LAST - 1)).tolist():
        # If single precision is coarser than the decimals, every number lies on that grid.
        if float(np.abs(array[:, i]).max()) * SINGLE > 10.0 ** -float(NOTES[place[i]][0] or 0):
            place[i] = LAST - 1
    return [NOTES[i] for i in place.tolist()]


def _advance(place: NDArray[np.intp], block: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the first note, from the current one on, that holds for each column of a block."""
    double = place <= MAX_DECIMALS
    if double.all() and _is_decimal(block, 10.0**place if place.any() else None).all():
        return place  # almost always
    place = place.copy()
    block = np.ascontiguousarray(block.T)  # contiguous columns are faster
    # A number of few decimals has 6 too (below MAX_EXACT), so four looks dismiss a column of arbitrary numbers.
    decimal = _holds(NOTES[0], block) | _holds(NOTES[MAX_DECIMALS], block)
    single = _holds(NOTES[LAST - 1], block)
    decimal |= single & _holds(NOTES[LAST - 2], block)
    place[~decimal] = np.maximum(place, np.where(single, LAST - 1, LAST))[~decimal]
    pending = np.flatnonzero(decimal)
    for k, note in enumerate(NOTES if len(pending) else ()):
        candidates = pending[place[pending] <= k]
        holds = _holds(note, block[candidates])
        place[candidates] = np.where(holds, k, k + 1)
        pending = pending[place[pending] > k]
        if not len(pending):
            break
    return place


def _is_decimal(x: NDArray[np.float64], scale: Any) -> NDArray[np.bool_]:
    """Return which numbers are the nearest doubles of decimals; ``scale`` is the power of ten."""
    if scale is None:
        return np.asarray(np.rint(x) == x)
    rounded = x * scale
    np.rint(rounded, out=rounded)
    rounded /= scale  # a quotient of exact numbers, rounded once
    return np.asarray(rounded == x)


def _holds(note: Note, x: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return the rows of a block for which a note holds."""
    decimals, single = note
    holds = (_single(x) == x) if single else np.ones(x.shape, dtype=bool)
    if decimals is not None and single:
        holds &= _single(np.rint(x * 10.0**decimals) / 10.0**decimals) == x
    elif decimals is not None:
        holds = _is_decimal(x, 10.0**decimals)
    return np.asarray(holds.all(axis=1))


def _single(x: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(over="ignore", under="ignore"):
        return x.astype(np.float32).astype(np.float64)


def note_cuts(schema: Schema, table: Table, forest: _core.Forest) -> Schema:
    """Return the schema with the decimals that the thresholds of a model need."""
    if len(table) * len(schema.columns) > MAX_CELLS_FOR_CUTS:
        return schema
    features, cuts = _cuts(forest)
    tested = np.unique(features).tolist()
    return note_cuts_of(schema, table, {i: np.unique(cuts[features == i]) for i in tested})


def note_cuts_of(schema: Schema, table: Table, cuts: Mapping[int, NDArray[np.float64]]) -> Schema:
    """Return the schema with the decimals that these thresholds of its columns need, if the table is small."""
    if len(table) * len(schema.columns) > MAX_CELLS_FOR_CUTS:
        return schema
    columns = list(schema.columns)
    for i, own in cuts.items():
        column = columns[i]
        if column.in_words:
            continue  # written as categories and dates
        data: Any = table.matrix.array[:, i] if table.matrix else table.column(column.name).data
        values = np.sort(data[np.isfinite(data)].astype(np.float64))
        columns[i] = replace(column, cut_decimals=_cut_decimals(column, own, values))
    return replace(schema, columns=tuple(columns))


def _cuts(forest: _core.Forest) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Return the columns and thresholds of all numeric splits, alternative splits included."""
    pairs: list[tuple[Any, Any]] = []
    for i in range(forest.n_trees):
        tree = forest.tree(i)
        spares = tree.spares()
        pairs.append((tree.feature, tree.threshold))
        pairs += [] if spares is None else [(spares["feature"], spares["threshold"])]
    feature, cut = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    numeric = np.isfinite(cut)  # not of leaves and categorical splits
    return feature[numeric], cut[numeric]


def _cut_decimals(
    column: Column, cuts: NDArray[np.float64], values: NDArray[np.float64]
) -> int | None:
    """Return the decimals with which every threshold as written splits the sorted values correctly."""
    places = np.searchsorted(values, cuts, side="right")
    inside = places < len(values)
    if not inside.any() or np.abs(cuts).max() >= MAX_EXACT:
        return None
    if column.decimals is None:
        # Rounding up must move a threshold by at most a quarter of the way to the next value.
        room = float((values[places[inside]] - cuts[inside]).min())
        least = max(0, math.ceil(-math.log10(room / 4))) if room / 4 > 0 else MAX_CUT_DECIMALS + 1
        most = MAX_CUT_DECIMALS
    else:
        least = most = column.decimals + 1
    read = values.astype(np.float32).astype(str).astype(np.float64) if column.single else values
    for decimals in range(least, most + 1):
        noted = replace(column, cut_decimals=decimals)
        written = [float(write_cut(cut, noted)) for cut in cuts.tolist()]
        if (np.searchsorted(read, written, side="right") == places).all():
            return decimals
    return None


def join_notes(before: Schema, after: Schema) -> Schema:
    """Return the notes that hold for the rows of two fits (warm start)."""
    columns = tuple(map(_join, before.columns, after.columns))
    return replace(after, columns=columns)


def _join(one: Column, two: Column) -> Column:
    return replace(
        two,
        missing=one.missing or two.missing,
        decimals=_max(one.decimals, two.decimals) if one.single == two.single else None,
        single=one.single and two.single,
    )


def _max(one: int | None, two: int | None) -> int | None:
    return None if one is None or two is None else max(one, two)
