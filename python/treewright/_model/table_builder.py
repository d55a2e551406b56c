"""A node table written from Python, for algorithms that do not grow it greedily: 0-R, 1-R, optimal trees.

It fills the same columns as the core's growing loop, and the core checks them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.errors import DataError
from treewright.schema import Schema
from treewright.table import Table

__all__ = [
    "TreeBuilder",
    "count_classes",
    "errors_of",
    "levels_of",
    "node_columns",
    "refuse_many_levels",
]

Counts = NDArray[np.float64]
NODE_COLUMNS = (
    *("first_child", "n_children", "feature", "threshold", "route_start", "missing"),
    *("weight", "count", "cost", "gain", "route"),
)
MAX_BRANCHES = 65_520  # of a node, the one for missing values included


def levels_of(schema: Schema) -> list[int | None]:
    """Return the number of levels of each column, None for numeric ones, as the core expects it."""
    return [None if c.kind == "numeric" else len(c.levels) for c in schema.columns]


def node_columns(tree: _core.Tree) -> dict[str, Any]:
    """Return the columns of a tree without its values, as ``Forest.from_tables`` takes them."""
    return {name: np.asarray(getattr(tree, name)) for name in NODE_COLUMNS}


def widen_forest(
    forest: _core.Forest, columns: Sequence[int], schema: Schema, combine: Any = None
) -> _core.Forest:
    """Return trees that were grown on some columns, without surrogates, as trees of all columns of a schema."""
    places, tables = np.array(columns), []
    for i in range(forest.n_trees):
        tree = forest.tree(i)
        features = np.where(tree.n_children > 0, places[tree.feature], 0).astype(np.uint32)
        values = {"feature": features, "value": np.asarray(tree.value).ravel()}
        tables.append(node_columns(tree) | values)
    return _core.Forest.from_tables(levels_of(schema), forest.tree(0).n_outputs, tables, combine)


def refuse_many_levels(table: Table) -> None:
    """Raise an error if a column has more levels than a node can have branches."""
    for series in table.series:
        if len(series.levels) >= MAX_BRANCHES:
            raise DataError(
                f'column "{series.name}" has {len(series.levels):,} different values; '
                f"at most {MAX_BRANCHES - 1:,} can be branches",
                slug="data.too-many-levels",
                hints=[
                    "leave it out if it identifies the row, or cut it into ranges if it is a quantity"
                ],
            )


def errors_of(counts: Counts) -> float:
    """Return the weight of all classes but the heaviest."""
    return float(counts.sum() - counts.max())


def count_classes(
    codes: NDArray[Any], weights: Counts, classes: int, part: Any = 0, parts: int = 1
) -> Counts:
    """Return the weight of each class in each part of the rows."""
    cells = np.asarray(part, dtype=np.int64) * classes + codes
    counts: Any = np.bincount(cells, weights=weights, minlength=parts * classes)
    return np.asarray(counts, dtype=np.float64).reshape(parts, classes)


class TreeBuilder:
    """A growing tree: push leaves, then split a leaf whose children are pushed next."""

    def __init__(self) -> None:
        self._rows: list[dict[str, Any]] = []
        self._values: list[NDArray[np.float64]] = []
        self._route: list[int] = []

    def push(self, value: NDArray[np.float64], weight: float, count: int, cost: float) -> int:
        """Add a leaf and return its number."""
        self._values.append(value)
        self._rows.append(
            {
                "first_child": 0,
                "n_children": 0,
                "feature": 0,
                "threshold": np.nan,
                "route_start": 0,
                "missing": _core.STOP,
                "weight": weight,
                "count": count,
                "cost": cost,
                "gain": 0.0,
            }
        )
        return len(self._rows) - 1

    def push_class(self, counts: Counts, rows: int, above: Counts | None = None) -> int:
        """Add a leaf with the class fractions, which costs its errors; without rows it takes those of its parent."""
        values = counts if rows or above is None else above
        return self.push(values / values.sum(), float(counts.sum()), rows, errors_of(counts))

    def split(
        self,
        node: int,
        feature: int,
        n_children: int,
        *,
        threshold: float = np.nan,
        route: Sequence[int] = (),
        missing: int = _core.STOP,
        gain: float = 0.0,
    ) -> None:
        """Turn a leaf into an inner node."""
        self._rows[node] |= {
            "first_child": len(self._rows),
            "n_children": n_children,
            "feature": feature,
            "threshold": threshold,
            "route_start": len(self._route) if route else 0,
            "missing": missing,
            "gain": gain,
        }
        self._route.extend(route)

    def set_gain(self, node: int, gain: float) -> None:
        """Set what the split of a node saves, once its children are known."""
        self._rows[node]["gain"] = gain

    def forest(self, schema: Schema) -> _core.Forest:
        """Return the finished tree as a forest of one."""
        columns: dict[str, NDArray[Any]] = {
            name: np.array([row[name] for row in self._rows], dtype=dtype)
            for name, dtype in DTYPES.items()
        }
        columns["value"] = np.concatenate(self._values)
        columns["route"] = np.array(self._route, dtype=np.uint16)
        return _core.Forest.from_tables(levels_of(schema), len(self._values[0]), [columns])


DTYPES = {
    "first_child": np.uint32,
    "n_children": np.uint16,
    "feature": np.uint32,
    "threshold": np.float64,
    "route_start": np.uint32,
    "missing": np.uint16,
    "weight": np.float64,
    "count": np.uint64,
    "cost": np.float64,
    "gain": np.float64,
}
