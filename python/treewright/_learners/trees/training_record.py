"""The training record of a small model: the numbers behind the splits of its nodes, and a digest of its rows.

A fit only keeps a copy of a small table, which costs almost nothing; the numbers are computed when somebody asks for
them or saves the model. A file holds sums over rows, and for a regression tree the smallest and the largest number of
each node, never rows. A large fit keeps nothing.

Glossary: a *report* is what the core says of a node (see ``_core.study``), *packed* as a file holds it; the *digest* of
a table is the same for the same rows in any order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.metadata import canonical
from treewright._estimator.training_data import TrainingData
from treewright._input.encoding import encode_columns
from treewright._input.row_order import order_of
from treewright._input.target import ClassTarget, NumberTarget
from treewright._model.value_ranges import Ranges, ranges_of
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright._learners.trees.report_codec import Report

__all__ = [
    "DEFAULT_CUTS",
    "Rows",
    "TrainingRecord",
    "digest_of",
    "is_original_leaf",
    "original_nodes",
    "recipe_of",
    "rows_grown_from",
    "study_nodes",
]

MAX_CELLS = 1 << 19  # of a table that is copied
# Cells times splits on the longest path: the work of a larger model is not computed to write a file.
MAX_VISITS = 1 << 19
MAX_BRANCHES = (
    1 << 18
)  # levels of all columns times nodes: the work of more would take seconds and gigabytes
MAX_BYTES = 256 * 1024  # of the work in a file
DEFAULT_CUTS = 100  # of a numeric column in a report, unless more are wanted
MIN_BYTES = {"numeric": 220, "categorical": 80}  # that one candidate takes at least


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows with their labels, as the core reads them."""

    columns: list[NDArray[Any]]
    target: NDArray[Any]
    weights: NDArray[np.float64] | None


def digest_of(rows: Rows) -> str:
    """Return a digest of rows, 32 hexadecimal digits, the same for every order; rows of weight 0 do not count.

    It guards against mistakes, not against somebody who looks for two tables with the same digest.

    Examples
    --------
    >>> one = Rows([np.array([1.0, 2.0])], np.array([0.5, 0.7]), None)
    >>> other = Rows([np.array([2.0, 1.0])], np.array([0.7, 0.5]), None)
    >>> digest_of(one) == digest_of(other)
    True
    """
    weights = np.ones(len(rows.target)) if rows.weights is None else rows.weights
    state = np.full(len(weights), 0x9E3779B97F4A7C15, dtype=np.uint64)
    for column in [*rows.columns, rows.target, weights]:
        numbers = column.astype(np.float64) + 0.0  # a new array, in which -0 is 0
        numbers[np.isnan(numbers)] = np.nan
        state = _mix_bits(state * np.uint64(3) ^ numbers.view(np.uint64))
    state = state[weights > 0]
    sums = (int(np.sum(part, dtype=np.uint64)) for part in (state, _mix_bits(state ^ np.uint64(1))))
    return "".join(f"{number:016x}" for number in sums)


def _mix_bits(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread every bit over all others (the finish of splitmix64; Steele, Lea, Flood 2014)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(bits ^ (bits >> np.uint64(31)))


def study_nodes(
    model: Any, rows: Rows, nodes: Sequence[int] | None, cuts: int = DEFAULT_CUTS
) -> list[Report]:
    """Return the core's reports on some nodes, in the order of the tree, or on all; held-out rows are not counted."""
    from treewright._learners.trees.node_details import add_details
    from treewright._learners.trees.other_algorithms import MAX_CELLS as OTHER_CELLS

    rows = rows_grown_from(model, rows)
    classes = len(model.schema_.classes) or None
    reports = _core.study(
        *(model._forest, nodes, recipe_of(model, rows), rows.columns, rows.target, classes),
        *(rows.weights, cuts, OTHER_CELLS // max(1, len(rows.columns))),
        bool(model.__dict__.get("by_hand_")),
    )
    about = (type(model).__name__, model.schema_, rows.columns, rows.target)
    total = float(len(rows.target) if rows.weights is None else rows.weights.sum())
    return [add_details(report, *about, total) for report in reports]


def rows_grown_from(model: Any, rows: Rows) -> Rows:
    """Return the rows that a model is grown from: all but those that its fit holds out for pruning."""
    from treewright._pruning.during_fit import validation_rows
    from treewright._pruning.pruning_plan import plan_of

    plan = plan_of(model._seeded_params(), classes=bool(model.schema_.classes))
    if plan is None or plan.method != "reduced_error":
        return rows
    codes = rows.target if model.schema_.classes else None
    levels = [c.levels if c.kind == "categorical" else None for c in model.schema_.columns]
    held_out = validation_rows(
        codes,
        len(rows.target),
        plan,
        lambda seed: order_of(rows.columns, levels, rows.target, rows.weights, seed),
    )
    weights = np.ones(len(rows.target)) if rows.weights is None else rows.weights.copy()
    if hasattr(model, "min_cases"):  # C4.5 may split at values of held-out rows, as Weka does
        weights[held_out] = 0.0
        return replace(rows, weights=weights)
    rest = np.setdiff1d(np.arange(len(weights)), held_out)
    columns = [np.ascontiguousarray(column[rest]) for column in rows.columns]
    return Rows(columns, rows.target[rest], None if rows.weights is None else weights[rest])


def recipe_of(model: Any, rows: Rows) -> Any:
    """Return the recipe that a model of these rows is grown by."""
    schema = model.schema_
    if schema.classes:
        target: Any = ClassTarget(schema.target, model.classes_, model._order, rows.target)
    else:
        target = NumberTarget(schema.target, rows.target)
    return model._recipe(TrainingData(Table([]), schema, target, rows.weights))


@dataclass(eq=False)
class TrainingRecord:
    """What a model keeps of its training; numbers are computed when they are asked for."""

    data: TrainingData | None
    always: bool = False
    digest: str | None = None
    packed: Sequence[str] | None = None  # the work of each node as JSON, from a file or for one
    ranges: Ranges | None = None
    schema_with_notes: Schema | None = None

    @classmethod
    def of(cls, data: TrainingData, keep_work: Any) -> TrainingRecord | None:
        """Return the record of a fit: a copy of its rows if ``keep_work`` says so, or "auto" finds it small enough."""
        if not (isinstance(keep_work, bool) or keep_work == "auto"):
            raise UsageError(
                f"keep_work must be 'auto', True or False; got {keep_work!r}",
                slug="usage.parameter",
            )
        small = len(data.table.columns) * len(data) <= MAX_CELLS
        keeps = keep_work is True or (keep_work and small)
        return cls(data.copy(), always=keep_work is True) if keeps else None

    @classmethod
    def from_metadata(cls, metadata: Mapping[str, Any]) -> TrainingRecord | None:
        """Return the record in a model file; the work of a node is checked when it is unpacked."""
        digest = metadata.get("digest")
        if digest is None and metadata.keys() & {"work", "ranges"}:
            raise ValueError("it has work without a digest")
        if digest is None:
            return None
        if not isinstance(digest, str) or len(digest) != 32:
            raise ValueError("the training digest is not 32 hexadecimal digits")
        return cls(None, digest=digest, packed=metadata.get("work"), ranges=metadata.get("ranges"))

    def rows(self, model: Any) -> Rows | None:
        """Return the rows of the fit; None if the model comes from a file."""
        if self.data is None:
            return None
        columns = encode_columns(self.data.table, model.schema_)
        return Rows(columns, self.data.labels, self.data.weights)

    def reports(
        self, model: Any, nodes: Sequence[int], cuts: int = DEFAULT_CUTS
    ) -> list[Report] | None:
        """Return the reports on some nodes, ascending, with at most so many cuts of a column; None without rows."""
        from treewright._learners.trees.report_codec import trim_pure, unpack

        rows = self.rows(model)
        if rows is not None:
            return [trim_pure(report) for report in study_nodes(model, rows, nodes, cuts)]
        if self.packed is None:
            return None
        return [unpack(self.packed[node], model.schema_, cuts) for node in nodes]

    def node_ranges(self, model: Any) -> Ranges | None:
        """Return the smallest and the largest number in each node of a regression tree."""
        rows = self.rows(model)
        if self.ranges is None and rows is not None and not model.schema_.classes:
            grown = rows_grown_from(model, rows)
            self.ranges = ranges_of(model.tree_, grown.columns, grown.target, grown.weights)
        return self.ranges

    def metadata(self, model: Any) -> dict[str, Any]:
        """Return what a model file holds of the record."""
        rows = self.rows(model)
        if rows is not None and self.digest is None:
            self.digest = digest_of(rows)
        work = self.packed if rows is None else self._packed_work(model, rows)
        ranges = None if work is None else self.node_ranges(model)
        record: dict[str, Any] = {"digest": self.digest, "work": work}
        if ranges is not None:
            record["ranges"] = [[None if x != x else x for x in pair] for pair in ranges.tolist()]
        return {name: value for name, value in record.items() if value is not None}

    def _packed_work(self, model: Any, rows: Rows) -> Sequence[str] | None:
        """Return the work of all nodes as JSON; without the sides of cuts, or None, if it is too long for a file."""
        from treewright._learners.trees.report_codec import pack, trim_pure

        if self.packed is None:
            if not self.always and _is_too_large(model.tree_, len(rows.target)):
                return None
            reports = [trim_pure(report) for report in study_nodes(model, rows, None)]
            packed = [canonical(pack(report)) for report in reports]
            if not self.always and _json_bytes(packed) > MAX_BYTES:
                packed = [canonical(pack(report, sides=False)) for report in reports]
                if _json_bytes(packed) > MAX_BYTES:
                    return None
            self.packed = packed
        return self.packed

    def after_pruning(self, before: Tree, after: Tree) -> TrainingRecord:
        """Return the record of a model whose tree was pruned."""
        if self.data is not None or self.packed is None:
            return replace(self, packed=None, ranges=None)
        nodes = original_nodes(before, after)
        packed = None if nodes is None else [self.packed[node] for node in nodes]
        ranges = None if nodes is None or self.ranges is None else self.ranges[nodes]
        return TrainingRecord(None, self.always, self.digest, packed, ranges)


def _json_bytes(packed: list[str]) -> int:
    """Return the length of a list of JSON texts in a file."""
    return sum(map(len, packed)) + len(packed) + 1


def _is_too_large(tree: Tree, rows: int) -> bool:
    """Return whether the work of a tree surely takes too much space in a file, or too long to compute."""
    columns = tree.schema.columns
    impure = int(np.count_nonzero(tree.cost > 0))
    space = impure * sum(MIN_BYTES[column.kind] for column in columns)
    branches = tree.n_nodes * sum(len(column.levels) for column in columns)
    visits = rows * len(columns) * max(1, tree.depth)
    return space > MAX_BYTES or branches > MAX_BRANCHES or visits > MAX_VISITS


def original_nodes(before: Tree, after: Tree) -> list[int] | None:
    """Return for each node of a pruned tree its number before pruning; None if a branch has been raised."""
    nodes = [0] * after.n_nodes
    # A parent comes before its children, so its number is known.
    for node, was in enumerate(nodes):
        if after.count[node] != before.count[was] or after.weight[node] != before.weight[was]:
            return None
        if not after.n_children[node]:
            continue
        if (after.n_children[node], after.feature[node]) != (
            before.n_children[was],
            before.feature[was],
        ):
            return None
        for child in range(int(after.n_children[node])):
            nodes[int(after.first_child[node]) + child] = int(before.first_child[was]) + child
    return nodes


def is_original_leaf(before: Tree, after: Tree, node: int) -> bool | None:
    """Return whether a node of a pruned tree was a leaf before pruning; None if a branch has been raised."""
    nodes = original_nodes(before, after)
    return None if nodes is None else not before.n_children[nodes[node]]
