"""What a small model keeps of its training: the figures that its nodes chose by, and what tells its rows from others.

A fit only holds on to a copy of a small table, which costs next to nothing; the figures are worked out when somebody
asks for them or writes the model down. A file holds sums over rows, and of a model of numbers the least and the
greatest of each node, never rows; a large fit keeps nothing.

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
from treewright._estimator.tree_model import TreeModel
from treewright._input.encoding import encode_columns
from treewright._input.row_order import order_of
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.trees.cart_recipe import cart_recipe
from treewright._learners.trees.node_details import add_details
from treewright._learners.trees.other_algorithms import CELLS as OTHER_CELLS
from treewright._learners.trees.report_codec import Report, pack, trimmed, unpack
from treewright._model.value_ranges import Ranges, ranges_of
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Matrix, Table
from treewright.tree import Tree

if TYPE_CHECKING:  # pruning is loaded by those who prune
    from treewright._pruning.during_fit import Lesson, Plan

__all__ = [
    "CUTS",
    "Keeper",
    "Kept",
    "Report",
    "Rows",
    "digest_of",
    "is_leaf_of",
    "pack",
    "places_of",
    "recipe_of",
    "studied",
    "trimmed",
    "unpack",
]

CELLS = 1 << 19  # a larger table is not held
# Cells times questions on the longest path: more are not worked through to write a file.
VISITS = 1 << 19
MOST = 256 * 1024  # bytes of figures in a file
CUTS = 100  # of a numeric column are reported, unless more are wanted
LEAST = {"numeric": 220, "categorical": 80}  # bytes that the figures of one candidate take at least


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows with their truth, as the core reads them."""

    columns: list[NDArray[Any]]
    target: NDArray[Any]
    weights: NDArray[np.float64] | None


def digest_of(rows: Rows) -> str:
    """Return what tells rows from others: 32 hexadecimal digits; rows of weight 0 do not count.

    It guards against mistakes, not against somebody who looks for two tables with one digest.

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
        numbers = column.astype(np.float64) + 0.0  # a new array, in which 0 is 0, whatever its sign
        numbers[np.isnan(numbers)] = np.nan
        state = _mixed(state * np.uint64(3) ^ numbers.view(np.uint64))
    state = state[weights > 0]
    sums = (int(np.sum(part, dtype=np.uint64)) for part in (state, _mixed(state ^ np.uint64(1))))
    return "".join(f"{number:016x}" for number in sums)


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Spread every bit over all others (the finish of splitmix64; Steele, Lea, Flood 2014)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(bits ^ (bits >> np.uint64(31)))


def studied(model: TreeModel, rows: Rows, node: int | None, cuts: int = CUTS) -> list[Report]:
    """Return the core's reports on a node, or on all; of the rows that a fit would hold out nothing is counted."""
    rows = _told(model, rows)
    recipe = recipe_of(model, rows)
    classes = len(model.schema_.classes) or None
    reports = _core.study(
        *(model._forest, node, recipe, rows.columns, rows.target, classes, rows.weights),
        *(cuts, OTHER_CELLS // max(1, len(rows.columns))),
    )
    about = (type(model).__name__, model.schema_, rows.columns, rows.target)
    total = float(len(rows.target) if rows.weights is None else rows.weights.sum())
    return [add_details(report, *about, total) for report in reports]


def _told(model: TreeModel, rows: Rows) -> Rows:
    """Return the rows that a model is grown from: all but those that a fit would hold out."""
    from treewright._pruning.during_fit import plan_of

    plan = plan_of(model.get_params(deep=False), classes=bool(model.schema_.classes))
    held_out = plan is not None and plan.by == "reduced_error"
    return _grown_from(model, rows, plan) if plan is not None and held_out else rows


def _grown_from(model: TreeModel, rows: Rows, plan: Plan) -> Rows:
    from treewright._pruning.during_fit import validation

    codes = rows.target if model.schema_.classes else None
    levels = [c.levels if c.kind == "categorical" else None for c in model.schema_.columns]
    part = validation(
        codes,
        len(rows.target),
        plan,
        lambda seed: order_of(rows.columns, levels, rows.target, rows.weights, seed),
    )
    weights = np.ones(len(rows.target)) if rows.weights is None else rows.weights.copy()
    if hasattr(model, "min_cases"):  # C4.5 cuts at values of rows held out, as Weka does
        weights[part] = 0.0
        return replace(rows, weights=weights)
    kept = np.setdiff1d(np.arange(len(weights)), part)
    columns = [np.ascontiguousarray(column[kept]) for column in rows.columns]
    return Rows(columns, rows.target[kept], None if rows.weights is None else weights[kept])


def recipe_of(model: Any, rows: Rows) -> Any:
    """Return the recipe that a model of these rows is grown after."""
    if hasattr(model, "_recipe"):
        return model._recipe()
    schema = model.schema_
    if schema.classes:
        target: Any = ClassTarget(schema.target, model.classes_, model._order, rows.target)
    else:
        target = NumberTarget(schema.target, rows.target)
    return cart_recipe(model.get_params(deep=False), schema, target, rows.weights)


@dataclass(eq=False)
class Kept:
    """What is kept; figures appear when they are asked for."""

    lesson: Lesson | None
    always: bool = False
    digest: str | None = None
    packed: Sequence[str] | None = None  # the work of each node, as a file has it
    ranges: Ranges | None = None
    noted: Schema | None = None

    @classmethod
    def of(cls, lesson: Lesson, keep: Any) -> Kept | None:
        """Hold on to a lesson, if it is to be kept and small enough."""
        if not (isinstance(keep, bool) or keep == "auto"):
            raise UsageError(
                f"keep_work must be 'auto', True or False; got {keep!r}", slug="usage.parameter"
            )
        small = len(lesson.table.columns) * len(lesson) <= CELLS
        return cls(_copy(lesson), always=keep is True) if keep is True or (keep and small) else None

    @classmethod
    def restored(cls, document: Mapping[str, Any]) -> Kept | None:
        """Take what a file says; the work of a node is checked when it is unpacked."""
        digest = document.get("digest")
        if digest is None and document.keys() & {"work", "ranges"}:
            raise ValueError("it has work without a digest")
        if digest is None:
            return None
        if not isinstance(digest, str) or len(digest) != 32:
            raise ValueError("its digest is none")
        return cls(None, digest=digest, packed=document.get("work"), ranges=document.get("ranges"))

    def rows(self, model: TreeModel) -> Rows | None:
        """Return the rows of the fit, while they are held."""
        if self.lesson is None:
            return None
        columns = encode_columns(self.lesson.table, model.schema_)
        return Rows(columns, self.lesson.truth, self.lesson.weights)

    def report(self, model: TreeModel, node: int, cuts: int = CUTS) -> Report | None:
        """Return what is known of a node, with the best so many cuts of a numeric column."""
        rows = self.rows(model)
        if rows is not None:
            return trimmed(studied(model, rows, node, cuts)[0])
        if self.packed is None:
            return None
        return unpack(self.packed[node], model.schema_, cuts)

    def ranged(self, model: TreeModel) -> Ranges | None:
        """Return the least and the greatest number in each node of a model of numbers."""
        rows = self.rows(model)
        if self.ranges is None and rows is not None and not model.schema_.classes:
            told = _told(model, rows)
            self.ranges = ranges_of(model.tree_, told.columns, told.target, told.weights)
        return self.ranges

    def document(self, model: TreeModel) -> dict[str, Any]:
        """Return what a file holds of it."""
        rows = self.rows(model)
        if rows is not None and self.digest is None:
            self.digest = digest_of(rows)
        work = self.packed if rows is None else self._work(model, rows)
        ranges = None if work is None else self.ranged(model)
        record: dict[str, Any] = {"digest": self.digest, "work": work}
        if ranges is not None:
            record["ranges"] = [[None if x != x else x for x in pair] for pair in ranges.tolist()]
        return {name: value for name, value in record.items() if value is not None}

    def _work(self, model: TreeModel, rows: Rows) -> Sequence[str] | None:
        if self.packed is None:
            if not self.always and _is_much(model.tree_, len(rows.target)):
                return None
            reports = [trimmed(report) for report in studied(model, rows, None)]
            packed = [canonical(pack(report)) for report in reports]
            if not self.always and _length(packed) > MOST:
                packed = [canonical(pack(report, sides=False)) for report in reports]
                if _length(packed) > MOST:
                    return None
            self.packed = packed
        return self.packed

    def moved(self, before: Tree, after: Tree) -> Kept:
        """Return what is kept of a model whose tree was pruned: from the rows again, or node by node."""
        if self.lesson is not None or self.packed is None:
            return Kept(self.lesson, self.always, self.digest, noted=self.noted)
        places = places_of(before, after)
        packed = None if places is None else [self.packed[node] for node in places]
        ranges = None if places is None or self.ranges is None else self.ranges[places]
        return Kept(None, self.always, self.digest, packed, ranges)


def _length(packed: list[str]) -> int:
    """Return how many bytes a list of JSON texts takes in a file."""
    return sum(map(len, packed)) + len(packed) + 1


def _is_much(tree: Tree, rows: int) -> bool:
    """Whether the figures of a tree would surely take too much space, or too long to work out."""
    columns = tree.schema.columns
    asking = int(np.count_nonzero(tree.cost > 0))
    space = asking * sum(LEAST[column.kind] for column in columns)
    return space > MOST or rows * len(columns) * max(1, tree.depth) > VISITS


class Keeper(TreeModel):
    """A model that keeps what its nodes chose by."""

    keep_work: Any
    _kept: Kept | None = None

    def _remember(self, lesson: Lesson) -> None:
        self._kept = Kept.of(lesson, self.keep_work)

    def _add_notes(self, schema: Schema, table: Table) -> Schema:
        # A small fit takes no longer than the notes would: they wait until somebody reads them.
        held = self._kept is not None and self._kept.lesson is not None
        return schema if held else super()._add_notes(schema, table)

    def _schema_with_notes(self) -> Schema:
        kept = self._kept
        if kept is None or kept.lesson is None:
            return self.schema_
        if kept.noted != self.schema_:
            kept.noted = super()._add_notes(self.schema_, kept.lesson.table)
        return kept.noted

    def _ranges(self) -> Ranges | None:
        """Return the least and the greatest number in each node, where they are kept."""
        return None if self._kept is None else self._kept.ranged(self)

    def _extra_metadata(self) -> dict[str, Any]:
        kept = {} if self._kept is None else self._kept.document(self)
        return super()._extra_metadata() | kept

    def _check_restored(self) -> None:
        from treewright._pruning.during_fit import plan_of

        super()._check_restored()
        plan_of(self.get_params(deep=False), classes=bool(self.schema_.classes))

    def _restore(self, document: Mapping[str, Any], forest: Any) -> None:
        super()._restore(document, forest)
        self._kept = Kept.restored(document)


def _copy(lesson: Lesson) -> Lesson:
    """Return a lesson that nobody else can write to."""
    table = lesson.table
    matrix = None if table.matrix is None else Matrix.of(table.matrix.array.copy())
    if matrix is not None:
        table = Table.of_matrix(matrix, table.columns)
    else:
        table = table.map(lambda series: replace(series, data=series.data.copy()))
    target: Any = lesson.target
    if isinstance(target, NumberTarget):
        target = replace(target, values=target.values.copy())
    weights = None if lesson.weights is None else lesson.weights.copy()
    return replace(lesson, table=table, target=target, weights=weights)


def places_of(before: Tree, after: Tree) -> list[int] | None:
    """Return the node of a whole tree that each node of its pruning was; None where a branch has been raised."""
    places = [0] * after.n_nodes
    # A parent stands before its children, so its place is known.
    for node, was in enumerate(places):
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
            places[int(after.first_child[node]) + child] = int(before.first_child[was]) + child
    return places


def is_leaf_of(before: Tree, after: Tree, node: int) -> bool | None:
    """Whether a node of a pruned tree was a leaf before the pruning; None where a branch has been raised."""
    places = places_of(before, after)
    return None if places is None else not before.n_children[places[node]]
