"""The column that is predicted: labels to class codes, numbers to floats, weights to an array.

Wording follows scikit-learn where its checks ask for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from treewright._frame import _is_missing, _scalar
from treewright.errors import DataError
from treewright.schema import Level
from treewright.table import Series

__all__ = ["ClassTarget", "NumberTarget", "weights_of"]


@dataclass(frozen=True)
class ClassTarget:
    """Class labels, coded.

    ``sorted`` is what scikit-learn calls ``classes_``; ``order`` lists positions in it in the order in which ties go to
    the first: the declared order of a categorical target, otherwise the same. Codes count in ``order``.
    """

    name: str | None
    sorted: NDArray[Any]
    order: NDArray[np.int64]
    codes: NDArray[np.uint32]

    @classmethod
    def of(cls, y: Any) -> ClassTarget:
        """Check and code the labels."""
        name, declared = _name(y), _declared(y)
        labels = column_or_1d(_plain(y), warn=True)
        _refuse_missing(labels)
        check_classification_targets(labels)
        found, inverse = np.unique(labels, return_inverse=True)
        rank = {level: i for i, level in enumerate(declared)}
        keys = [rank.get(_scalar(value), len(rank)) for value in found]
        order = np.argsort(keys, kind="stable")
        place = np.argsort(order, kind="stable").astype(np.uint32)
        return cls(name, found, order, np.ascontiguousarray(place[inverse]))

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The classes as plain values, in tie order."""
        return tuple(_scalar(self.sorted[i]) for i in self.order)

    def take(self, rows: NDArray[np.bool_]) -> ClassTarget:
        """Return the target of some rows; classes without a row are dropped."""
        codes, dense = np.unique(self.codes[rows], return_inverse=True)
        places = self.order[codes]
        order = np.argsort(np.argsort(places, kind="stable"), kind="stable")
        return ClassTarget(self.name, self.sorted[np.sort(places)], order, dense.astype(np.uint32))


@dataclass(frozen=True)
class NumberTarget:
    """Numbers to predict."""

    name: str | None
    values: NDArray[np.float64]
    levels: tuple[Level, ...] = ()

    @classmethod
    def of(cls, y: Any) -> NumberTarget:
        """Check the numbers."""
        name = _name(y)
        if isinstance(y, Series):
            if y.kind == "categorical":
                raise DataError(f'the target "{y.name}" holds categories, not numbers', slug="fit.task")
            y = y.data
        values = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
        return cls(name, column_or_1d(values, warn=True))

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: NDArray[np.bool_]) -> NumberTarget:
        """Return the target of some rows."""
        return NumberTarget(self.name, self.values[rows])


def weights_of(sample_weight: Any, rows: int) -> NDArray[np.float64] | None:
    """Check sample weights: one finite, not negative number a row, not all zero."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
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
    return weights


def _name(y: Any) -> str | None:
    name = getattr(y, "name", None)
    return name if isinstance(name, str) else None


def _plain(y: Any) -> Any:
    if isinstance(y, Series):
        return np.array(y.values(), dtype=object) if y.kind == "categorical" else y.data
    # pandas' string dtype and Polars series become object arrays of Python values.
    if hasattr(y, "to_list") and not isinstance(y, np.ndarray):
        array = np.asarray(y)
        return array if array.dtype.kind in "biuf" else np.array(y.to_list(), dtype=object)
    return y


def _declared(y: Any) -> tuple[Any, ...]:
    if isinstance(y, Series):
        return y.levels if y.declared else ()
    categories = getattr(getattr(y, "dtype", None), "categories", None)
    if categories is None:
        return ()
    return tuple(_scalar(value) for value in categories)


def _refuse_missing(labels: NDArray[Any]) -> None:
    if labels.dtype.kind == "f":
        assert_all_finite(labels, input_name="y")
    elif labels.dtype.kind == "O":
        absent = [i for i, value in enumerate(labels) if _is_missing(value)]
        if absent:
            raise DataError(
                f"the target is missing in {len(absent)} of {len(labels)} rows (first: row {absent[0]})",
                slug="fit.missing-target",
                hints=["drop those rows before fitting; Input y contains NaN"],
            )
