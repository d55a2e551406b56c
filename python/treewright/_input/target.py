"""The target: labels to class codes, numbers to floats; and sample weights.

Messages follow scikit-learn where its estimator checks require it. It is imported only for those: workers of a cluster
that read plain numbers do without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright._input.columns import level_key, plain, scalar
from treewright._input.dates import DATES
from treewright._input.missing_values import is_missing
from treewright.errors import DataError
from treewright.schema import Level
from treewright.table import Series

__all__ = ["ClassTarget", "NumberTarget", "check_squares", "weights_of"]

LARGEST = 1e100  # its square, times the heaviest weights, is still a float

# Sums of weights and of their squares stay within the range of a float.
MIN_WEIGHT, MAX_WEIGHT = 1e-290, 1e300


@dataclass(frozen=True)
class ClassTarget:
    """Class labels, coded.

    ``sorted`` is scikit-learn's ``classes_``. ``order`` lists positions in it in the order that decides ties: the
    declared order of a categorical target, otherwise sorted. Codes count in ``order``.
    """

    name: str | None
    sorted: NDArray[Any]
    order: NDArray[np.int64]
    codes: NDArray[np.uint32]

    @classmethod
    def of(cls, y: Any) -> ClassTarget:
        """Check and code the labels."""
        name, y = _name(y), _open(y)
        _refuse_date_column(y)
        declared = y.levels if isinstance(y, Series) and y.declared else ()
        classes, codes = _recode(y) or _code(_labels(y))
        if not declared:
            return cls(name, classes, np.arange(len(classes)), codes.astype(np.uint32))
        rank = {level: i for i, level in enumerate(declared)}
        keys = [rank.get(scalar(value), len(rank)) for value in classes]
        order = np.argsort(keys, kind="stable")
        place = np.argsort(order, kind="stable").astype(np.uint32)
        return cls(name, classes, order, np.ascontiguousarray(place[codes]))

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """The classes as plain values, in tie order."""
        labels = self.sorted[self.order]
        if labels.dtype.kind in "biufU":
            return tuple(labels.tolist())
        return tuple(map(scalar, labels))

    def codes_among(self, classes: Sequence[Level]) -> NDArray[np.uint32]:
        """Return the codes of the rows among other classes; a class that is not there gets ``len(classes)``."""
        known = {level_key(level): code for code, level in enumerate(classes)}
        places = [known.get(level_key(level), len(classes)) for level in self.levels]
        return np.array(places, dtype=np.uint32)[self.codes]

    def take(self, rows: NDArray[Any]) -> ClassTarget:
        """Return the target of some rows; classes without a row are dropped."""
        codes, dense = np.unique(self.codes[rows], return_inverse=True)
        places = self.order[codes]
        order = np.argsort(np.argsort(places, kind="stable"), kind="stable")
        return ClassTarget(self.name, self.sorted[np.sort(places)], order, dense.astype(np.uint32))


def _recode(y: Any) -> tuple[NDArray[Any], NDArray[np.int64]] | None:
    """Return the sorted classes and the code of each row for a column that is coded; None if labels must be read.

    That is so for missing values and for labels that are not classes: reading them says what is wrong.
    """
    if not isinstance(y, Series) or y.kind != "categorical" or not len(y.data):
        return None
    if int(y.data.max()) >= len(y.levels):
        return None
    present = np.flatnonzero(np.bincount(y.data, minlength=len(y.levels)))
    labels = [y.levels[code] for code in present.tolist()]
    array, kinds = np.array(labels), set(map(type, labels))
    if kinds not in ({str}, {bool}, {int}) or array.dtype.kind == "O":
        return None
    if kinds == {str} and any(str(label).endswith("\0") for label in labels):
        return None
    if 2 * len(labels) > len(y.data):
        _check_classes(array[np.searchsorted(present, y.data)])
    places = np.zeros(len(y.levels), dtype=np.int64)
    classes, places[present] = np.unique(array, return_inverse=True)
    return classes, places[y.data]


def _code(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the sorted classes and the code of each label."""
    classes, codes = _unique(labels)
    # Whole numbers and booleans are classes as they are; for them the check, which sorts all, only warns of very many.
    if labels.dtype.kind not in "biu" or 2 * len(classes) > len(labels):
        _check_classes(labels)
    return classes, codes


def _check_classes(labels: NDArray[Any]) -> None:
    from sklearn.utils.multiclass import check_classification_targets

    check_classification_targets(labels)


def _unique(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    if labels.dtype.kind in "iu" and labels.size:
        low, high = int(labels.min()), int(labels.max())
        if high - low < 1 << 16:  # counting is much faster than sorting
            offsets = labels.astype(np.int64, copy=False) - low
            if high - low < 2:  # the least and the greatest are all there are
                return (np.arange(high - low + 1) + low).astype(labels.dtype), offsets
            present = np.flatnonzero(np.bincount(offsets))
            if len(present) == high - low + 1:
                return (present + low).astype(labels.dtype), offsets
            places = np.zeros(high - low + 1, dtype=np.int64)
            places[present] = np.arange(len(present))
            return (present + low).astype(labels.dtype), places[offsets]
    return np.unique(labels, return_inverse=True)


@dataclass(frozen=True)
class NumberTarget:
    """Numbers to predict."""

    name: str | None
    values: NDArray[np.float64]
    levels: tuple[Level, ...] = ()

    @classmethod
    def of(cls, y: Any) -> NumberTarget:
        """Check the numbers."""
        name, y = _name(y), _open(y)
        if isinstance(y, Series):
            _refuse_date_column(y)
            if y.kind == "categorical":
                _refuse_text(y.values())
            y = y.data
        array = np.asarray(y)
        _refuse_dates(array)
        if array.dtype.kind in "OSU":
            _refuse_text(array.ravel().tolist())
        if (
            array.dtype == np.float64
            and array.ndim == 1
            and array.size
            and np.isfinite(array).all()
        ):
            return cls(name, _readable(array))
        from sklearn.utils import check_array

        values = check_array(array, ensure_2d=False, dtype=np.float64, input_name="y")
        return cls(name, _readable(_one_column(values)))

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: NDArray[Any]) -> NumberTarget:
        """Return the target of some rows."""
        return NumberTarget(self.name, self.values[rows])


def check_squares(values: NDArray[np.float64]) -> None:
    """Raise an error if the squares of numbers cannot be added up."""
    largest = float(np.abs(values).max())
    if largest > LARGEST:
        raise DataError(
            f"the target holds {largest:g}, whose square is too large to add up",
            slug="data.large-numbers",
            hints=["divide the target by a power of ten"],
        )


def weights_of(sample_weight: Any, rows: int) -> NDArray[np.float64] | None:
    """Check sample weights: one finite, non-negative number per row, not all zero."""
    if sample_weight is None:
        return None
    weights = _readable(np.asarray(sample_weight, dtype=np.float64))
    if weights.ndim != 1 or len(weights) != rows:
        raise DataError(
            f"sample_weight has the shape {weights.shape}, expected ({rows},)", slug="data.weights"
        )
    if not np.isfinite(weights).all() or (weights < 0).any():
        row = int(np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))[0])
        raise DataError(
            f"the weight of row {row} is {weights[row]:g}; weights must be finite and not negative",
            slug="data.weights",
        )
    if not weights.any():
        raise DataError("all sample weights are zero", slug="data.weights")
    if weights.max() < MIN_WEIGHT or weights.max() > MAX_WEIGHT / rows:
        raise DataError(
            f"the largest sample weight is {weights.max():g}, too extreme to add up",
            slug="data.weights",
            hints=["only their ratios matter: divide all weights by their mean"],
        )
    return weights


def _readable(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array that the core can read where it lies: one that came over a network may be unaligned."""
    return np.require(array, requirements=("C", "A"))


def _name(y: Any) -> str | None:
    name = getattr(y, "name", None)
    return name if name and isinstance(name, str) else None


def _open(y: Any) -> Any:
    """Return a categorical column of a data frame as our Series, anything else as it is."""
    if isinstance(y, (Series, np.ndarray, list, tuple)) or not hasattr(y, "__len__"):
        return y
    from treewright._input.dataframes import from_column, is_categorical

    return from_column("y", y) if is_categorical(y) else y


def _labels(y: Any) -> NDArray[Any]:
    """Return labels of one type: numbers and booleans keep theirs, text is text.

    The type does not depend on the container: it is a part of the model.
    """
    if isinstance(y, Series):
        y = y.data if y.kind == "numeric" else y.values()
    labels = np.asarray(y)
    _refuse_dates(labels)
    plain_labels = labels.ndim == 1 and labels.dtype.kind in "biufU"
    array: NDArray[Any] = labels if plain_labels else _one_column(labels)
    if array.dtype.kind == "f":
        _refuse_infinite(array)
    if array.dtype.kind in "biuf" or (array.dtype.kind == "U" and isinstance(y, np.ndarray)):
        return array
    # numpy makes text of [1, "a"]: use the original objects.
    cells = y if isinstance(y, (list, tuple)) and labels.ndim == 1 else array.tolist()
    cells, kinds = plain(list(cells))
    _refuse_missing(cells)
    if kinds == {str}:
        if any(label.endswith("\0") for label in set(cells)):
            raise DataError("a class label ends in a NUL character", slug="fit.labels")
        return np.array(cells, dtype=np.str_)
    if kinds not in ({bool}, {int}, {float}, {int, float}):
        _refuse_labels(cells)
    return np.array(cells)


def _one_column(labels: NDArray[Any]) -> NDArray[Any]:
    from sklearn.utils import column_or_1d

    column: NDArray[Any] = column_or_1d(labels, warn=True)
    return column


def _refuse_infinite(labels: NDArray[Any]) -> None:
    from sklearn.utils import assert_all_finite

    assert_all_finite(labels, input_name="y")


def _refuse_missing(cells: list[Any]) -> None:
    absent = [row for row, cell in enumerate(cells) if cell is None]
    if absent:
        raise DataError(
            f"the target is missing in {len(absent)} of {len(cells)} rows (first: row {absent[0]})",
            slug="fit.missing-target",
            hints=["drop those rows before fitting; Input y contains NaN"],
        )


def _refuse_labels(cells: list[Any]) -> NoReturn:
    first = {type(cell): (row, cell) for row, cell in reversed(list(enumerate(cells)))}
    seen = "; ".join(f"row {row}: {cell!r:.60}" for row, cell in sorted(first.values(), key=_row))
    raise DataError(
        f"Unknown label type: the target must be all text, all whole numbers or all booleans ({seen})",
        slug="fit.labels",
    )


def _row(pair: tuple[int, Any]) -> int:
    return pair[0]


def _refuse_dates(target: NDArray[Any]) -> None:
    """Raise an error for dates: as numbers they would be nanoseconds, as classes every day would be one."""
    is_date = target.dtype.kind in "mM"
    if target.dtype.kind == "O":
        present = (cell for cell in target.ravel().tolist() if not is_missing(cell))
        is_date = isinstance(next(present, None), DATES)
    if is_date:
        raise _date_target()


def _refuse_date_column(target: Any) -> None:
    if isinstance(target, Series) and target.are_dates:
        raise _date_target()


def _date_target() -> DataError:
    return DataError(
        "the target holds dates or times, which are neither numbers nor classes",
        slug="fit.date-target",
        hints=["predict a number of days from a fixed date, or a part of it such as the month"],
    )


def _refuse_text(cells: list[Any]) -> None:
    text = next((cell for cell in cells if isinstance(cell, (str, bytes))), None)
    if text is not None:
        raise DataError(
            f"the target holds text ({text!r:.60}), not numbers",
            slug="fit.task",
            hints=["to predict classes, take a classifier"],
        )
