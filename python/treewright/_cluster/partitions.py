"""One partition of a training table: read where it lies, by the rules of a local fit.

A partition has the rows of any container. Rows of weight 0 are left out here, as a local fit leaves them out.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.containers import as_table, is_named
from treewright._input.target import ClassTarget, NumberTarget, _open, weights_of
from treewright._utils.validation import check_lengths
from treewright.errors import DataError, TreewrightError
from treewright.schema import Level
from treewright.table import Series, Table

__all__ = ["Partition", "count_rows", "naming_partition", "read_partition"]


@dataclass(frozen=True, eq=False)
class Partition:
    """The rows of one partition, read: table, target and weights.

    Parameters
    ----------
    table : Table
        The columns; levels are those of this partition.
    target : ClassTarget, NumberTarget or None
        The target; None if the partition has no rows.
    declared : tuple
        The declared categories of the target, in their order.
    weights : ndarray or None
        The weight of each row; all positive.
    is_named : bool
        Whether the columns have names, which predictions then check.
    """

    table: Table
    target: ClassTarget | NumberTarget | None
    declared: tuple[Level, ...]
    weights: NDArray[np.float64] | None
    is_named: bool

    def __len__(self) -> int:
        return len(self.table)


@contextmanager
def naming_partition(number: int, phase: str) -> Iterator[None]:
    """Add the partition and the phase to the hints of an error that is raised inside the ``with``."""
    try:
        yield
    except TreewrightError as error:
        where = f"in partition {number:,} (counted from 0), while {phase}"
        raise type(error)(error.message, slug=error.slug, hints=[*error.hints, where]) from None
    except (TypeError, ValueError) as error:  # of scikit-learn's checks
        error.add_note(f"in partition {number:,} (counted from 0), while {phase}")
        raise


def read_partition(number: int, X: Any, y: Any, sample_weight: Any, classes: bool) -> Partition:
    """Return a partition as a local fit would read these rows.

    Parameters
    ----------
    number : int
        The position of the partition, for errors.
    X, y, sample_weight : table, array-like, array-like or None
        The rows as the engine holds them.
    classes : bool
        Whether the target holds classes; otherwise numbers.
    """
    with naming_partition(number, "reading its rows"), warnings.catch_warnings():
        # What is odd in a part, such as many classes in few rows, need not be odd in the table.
        warnings.simplefilter("ignore")
        table = as_table(X)._densify()
        if not table.columns:
            raise DataError(
                "Found a table with 0 feature(s) while a minimum of 1 is required.",
                slug="data.empty",
            )
        named = _has_names(X)
        check_lengths(len(table), count_rows(y))
        weights = None
        if sample_weight is not None and len(table):
            weights = _read_weights(sample_weight, len(table))
        rows = None if weights is None else weights > 0
        target = _read_target(y, classes) if len(table) else None
        if rows is not None and weights is not None and target is not None and not rows.all():
            table, weights = table[rows], weights[rows]
            target = target.take(rows) if rows.any() else None
        return Partition(table, target, _declared_classes(y), weights, named)


def _has_names(X: Any) -> bool:
    """Whether a local fit would note the names of the columns."""
    if is_named(X):
        return True
    names = [] if isinstance(X, np.ndarray) else getattr(X, "columns", None)
    if names is not None and all(isinstance(name, str) for name in names):
        return len(names) > 0
    from sklearn.utils.validation import _get_feature_names

    return _get_feature_names(X) is not None


def count_rows(values: Any) -> int:
    """Return the number of rows of a target."""
    shape = getattr(values, "shape", None)
    return int(shape[0]) if shape else len(values)


def _read_target(y: Any, classes: bool) -> ClassTarget | NumberTarget:
    if getattr(y, "ndim", 1) == 2 and y.shape[1] > 1:
        raise DataError(
            f"the target has {y.shape[1]} columns: a fit on a cluster has one output",
            slug="cluster.option",
            hints=["fit one model for each output"],
        )
    return ClassTarget.of(y) if classes else NumberTarget.of(y)


def _read_weights(sample_weight: Any, rows: int) -> NDArray[np.float64]:
    """Check weights; unlike those of a table, those of a partition may all be 0."""
    array = np.asarray(sample_weight, dtype=np.float64)
    if array.ndim == 1 and len(array) == rows and not array.any():
        return array
    weights = weights_of(array, rows)
    assert weights is not None
    return weights


def _declared_classes(y: Any) -> tuple[Level, ...]:
    column = _open(y)
    return column.levels if isinstance(column, Series) and column.declared else ()
