"""What is noted of a training table beside names and levels: whether values are missing, and how many digits they have.

Views need it to say no more than there is: "or missing" only where training had missing values, 99.45 in place of
99.44999999999999. Nothing here changes a model's answers. Notes do not depend on the order of the rows.

It costs one look at every number, in blocks that stay in the cache; a column of arbitrary doubles is given up at its
first block. Of large tables, where this would be felt beside the fit, only whole numbers and single precision are
noted: of a matrix the core knows the first, and its type says the second.
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
from treewright.schema import Column, Schema
from treewright.table import Series, Table

__all__ = ["join_notes", "note_cuts", "note_cuts_of", "note_values"]

BLOCK = 1 << 15  # numbers that are looked at together
SAMPLE = 256  # rows that are looked at first: most columns of arbitrary numbers are known by them
DECIMALS = 6  # values with more are not on a grid
WHOLE = 2.0**53 / 10**DECIMALS  # below it, a value times 10^6 is still exact
LARGE = 1 << 21  # cells of a table whose decimals are not looked for
CELLS = 1 << 17  # a larger table is not searched for the values beside each cut
SINGLE = 2.0**-23  # the part of a number of single precision by which it differs from the next one
DIGITS = 16  # a cut that needs more decimals is written in full

Note = tuple[int | None, bool]
# From the coarsest to the finest: decimals in double precision, in single precision, single precision alone, nothing.
NOTES: tuple[Note, ...] = (
    *((d, False) for d in range(DECIMALS + 1)),
    *((d, True) for d in range(DECIMALS + 1)),
    (None, True),
    (None, False),
)
LAST = len(NOTES) - 1
NOTHING = NOTES[LAST]


def note_values(schema: Schema, table: Table) -> Schema:
    """Return a schema that says of each column whether values are missing, and how many digits numbers have."""
    large = len(table) * len(schema.columns) > LARGE
    if table.matrix is not None:
        array = table.matrix.array
        if large:
            whole = table.matrix.core.whole
            digits = [_coarse(array[:, i], whole[i]) for i in range(len(whole))]
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


def _digits_of(series: Series, absent: NDArray[np.bool_] | None, large: bool) -> Note:
    if series.kind != "numeric":
        return NOTHING
    if large:
        return _coarse(series.data)
    numbers = series.data if absent is None else series.data[~absent]
    return _digits(numbers[:, None])[0]


def _coarse(numbers: NDArray[np.floating[Any]], whole: bool | None = None) -> Note:
    """Return whether a column is whole, of single precision, or neither; ``whole`` where that is known.

    Missing values are passed over where they lie.
    """
    if whole is None:
        whole = _holds_for_all(numbers, lambda block: np.rint(block) == block)
    if whole:
        return NOTES[0]
    single = numbers.dtype == np.float32
    return None, single or _holds_for_all(numbers, lambda block: _single(block) == block)


def _holds_for_all(
    numbers: NDArray[Any], holds: Callable[[NDArray[Any]], NDArray[np.bool_]]
) -> bool:
    """Whether something holds for all numbers; most columns are given up at their first few."""
    starts = (0, *range(SAMPLE, len(numbers), BLOCK))
    ends = (*starts[1:], len(numbers))
    blocks = (numbers[a:b] for a, b in zip(starts, ends, strict=True))
    return all(np.count_nonzero(holds(b)) + np.count_nonzero(b != b) == len(b) for b in blocks)


def _digits(array: NDArray[np.floating[Any]]) -> list[Note]:
    """Return for each column of finite numbers the first of NOTES that holds for all its values."""
    rows, width = array.shape
    place, largest = np.zeros(width, dtype=np.intp), np.zeros(width)
    columns = np.arange(width)  # those that are still looked at
    start, end = 0, SAMPLE
    while start < rows and len(columns):
        part = array[start:end] if len(columns) == width else array[start:end, columns]
        block = np.asarray(part, dtype=np.float64)
        place[columns] = _advance(place[columns], block)
        if not -WHOLE < block.min() <= block.max() < WHOLE:
            largest[columns] = np.maximum(largest[columns], np.abs(block).max(axis=0))
        # Arbitrary numbers have no note; and what is held in single precision is of single precision.
        settled = place[columns] == LAST
        settled |= (place[columns] == LAST - 1) & (array.dtype == np.float32)
        columns = columns[~settled]
        start, end = end, end + max(SAMPLE, BLOCK // max(1, len(columns)))
    # Beyond WHOLE, what holds for few decimals may not hold for more, and the order of rows would count.
    place[(place > 0) & (largest >= WHOLE)] = LAST
    for i in np.flatnonzero((place > DECIMALS) & (place < LAST - 1)).tolist():
        # Where single precision is coarser than the decimals, every number would lie on such a grid.
        if float(np.abs(array[:, i]).max()) * SINGLE > 10.0 ** -float(NOTES[place[i]][0] or 0):
            place[i] = LAST - 1
    return [NOTES[i] for i in place.tolist()]


def _advance(place: NDArray[np.intp], block: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the first note, from the present one on, that holds for each column of a block."""
    double = place <= DECIMALS
    if double.all() and _is_written(block, 10.0**place if place.any() else None).all():
        return place  # almost always
    place, pending = place.copy(), np.arange(len(place))
    block = np.ascontiguousarray(block.T)  # a column at a time is quicker where each is told apart
    for k, note in enumerate(NOTES):
        tried = pending[place[pending] <= k]
        holds = _holds(note, block[tried])
        place[tried] = np.where(holds, k, k + 1)
        pending = pending[place[pending] > k]
        if not len(pending):
            break
    return place


def _is_written(x: NDArray[np.float64], scale: Any) -> NDArray[np.bool_]:
    """Return which numbers are the doubles nearest to decimal numbers, of which ``scale`` is the power of ten."""
    if scale is None:
        return np.asarray(np.rint(x) == x)
    written = x * scale
    np.rint(written, out=written)
    written /= scale  # a quotient of exact numbers, rounded once
    return np.asarray(written == x)


def _holds(note: Note, x: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for which rows of a block a note holds."""
    decimals, single = note
    holds = (_single(x) == x) if single else np.ones(x.shape, dtype=bool)
    if decimals is not None and single:
        holds &= _single(np.rint(x * 10.0**decimals) / 10.0**decimals) == x
    elif decimals is not None:
        holds = _is_written(x, 10.0**decimals)
    return np.asarray(holds.all(axis=1))


def _single(x: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(over="ignore", under="ignore"):
        return x.astype(np.float32).astype(np.float64)


def note_cuts(schema: Schema, table: Table, forest: _core.Forest) -> Schema:
    """Return a schema that says how many decimals the cuts of a model need."""
    if len(table) * len(schema.columns) > CELLS:
        return schema
    features, cuts = _cuts(forest)
    asked = np.unique(features).tolist()
    return note_cuts_of(schema, table, {i: np.unique(cuts[features == i]) for i in asked})


def note_cuts_of(schema: Schema, table: Table, cuts: Mapping[int, NDArray[np.float64]]) -> Schema:
    """Return a schema that says how many decimals these cuts of its columns need, where the table is small."""
    if len(table) * len(schema.columns) > CELLS:
        return schema
    columns = list(schema.columns)
    for i, own in cuts.items():
        column = columns[i]
        found: Any = table.matrix.array[:, i] if table.matrix else table.column(column.name).data
        values = np.sort(found[np.isfinite(found)].astype(np.float64))
        columns[i] = replace(column, cut_decimals=_cut_decimals(column, own, values))
    return replace(schema, columns=tuple(columns))


def _cuts(forest: _core.Forest) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Return the columns and the thresholds of all questions about numbers, spare ones included."""
    found: list[tuple[Any, Any]] = []
    for i in range(forest.n_trees):
        tree = forest.tree(i)
        spares = tree.spares()
        found.append((tree.feature, tree.threshold))
        found += [] if spares is None else [(spares["feature"], spares["threshold"])]
    feature, cut = (np.concatenate(parts) for parts in zip(*found, strict=True))
    asked = np.isfinite(cut)  # a leaf and a question about categories have none
    return feature[asked], cut[asked]


def _cut_decimals(
    column: Column, cuts: NDArray[np.float64], values: NDArray[np.float64]
) -> int | None:
    """Return the decimals with which every cut, as it is written, divides sorted values as they are read."""
    places = np.searchsorted(values, cuts, side="right")
    inside = places < len(values)
    if not inside.any() or np.abs(cuts).max() >= WHOLE:
        return None
    if column.decimals is None:
        # Rounding up adds less than the last decimal: a quarter of the way to the next value at most.
        room = float((values[places[inside]] - cuts[inside]).min())
        # Between numbers as small as that there is no room for a quarter.
        least = max(0, math.ceil(-math.log10(room / 4))) if room / 4 > 0 else DIGITS + 1
        most = DIGITS
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
    """Return the notes that hold for the rows of two fits: those of a model that goes on with an earlier one."""
    columns = tuple(map(_joined, before.columns, after.columns))
    return replace(after, columns=columns)


def _joined(one: Column, two: Column) -> Column:
    return replace(
        two,
        missing=one.missing or two.missing,
        decimals=_most(one.decimals, two.decimals) if one.single == two.single else None,
        single=one.single and two.single,
    )


def _most(one: int | None, two: int | None) -> int | None:
    return None if one is None or two is None else max(one, two)
