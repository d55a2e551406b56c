"""Smaller versions of a tree: their leaves and their errors, and the penalty from which each node is a leaf."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._evaluate.curve_points import errors_along
from treewright._pruning.cost_complexity import PruningPath, one_se, spread_rows
from treewright._pruning.cross_validation import pruning_path
from treewright._pruning.pruning_rows import read_labeled
from treewright._render.charts import LineChart
from treewright._render.document import Block, Column, Picture, Table, Text
from treewright._render.numbers import count, decimals, fixed, plural
from treewright._web.report.report_subject import GivenRows, Subject
from treewright._web.tree_document import plain_numbers
from treewright.errors import DataError

__all__ = ["Prunings", "find_prunings", "pruning_blocks"]

MAX_CELLS = 1 << 21  # a larger training table is not cross-validated
MANY_ROWS = 1000
FEW_FOLDS, MANY_FOLDS = 5, 10
MAX_LISTED = 14

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Prunings:
    """The trees of the cost-complexity path, the largest first, with errors per row."""

    path: PruningPath
    training: Numbers | None
    validation: Numbers | None  # by cross-validation, or on held-out rows
    deviation: Numbers | None  # the standard error of a cross-validated error
    source: str  # of the validation error, in words

    @property
    def choices(self) -> dict[str, int]:
        """The trees to look at first, by name."""
        if self.validation is None:
            return {}
        spread = np.zeros(len(self.path)) if self.deviation is None else self.deviation
        return {
            "least error": one_se(self.validation, spread, 0.0),
            "1-SE rule": one_se(self.validation, spread),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return ``Curve`` of the page's contract: the smallest tree first."""
        choices, last = self.choices, len(self.path) - 1
        errors = {"training": self.training, "validation": self.validation, "se": self.deviation}
        return {
            "leaves": self.path.leaves[::-1].tolist(),
            "alpha": self.path.alpha[::-1].tolist(),
            **{n: [] if v is None else plain_numbers(v[::-1]) for n, v in errors.items()},
            "best": last - choices.get("least error", 0),
            "one_se": last - choices.get("1-SE rule", 0),
            "link": self._links(),
        }

    def _links(self) -> list[Any]:
        """Return for each node the penalty of the path from which on it is a leaf; 0 for leaves."""
        path = self.path
        slack = 1e-12 * abs(path.root_risk)  # as the path itself compares them
        first = np.searchsorted(
            path.alpha, np.where(np.isfinite(path.link), path.link, 0.0) - slack
        )
        return plain_numbers(path.alpha[np.minimum(first, len(path) - 1)])


def find_prunings(subject: Subject) -> Prunings | None:
    """Return the prunings of a model's tree; cross-validated if its training rows are given and not too many."""
    if not subject.can_prune:
        return None
    model: Any = subject.model
    training, held_out = subject.training, subject.held_out
    size = 0 if training is None else len(training.X) * len(subject.schema.columns)
    errors = validation = deviation = None
    source = ""
    path = pruning_path(model)
    if training is not None and size <= MAX_CELLS and len(training.X) >= 2:
        folds = MANY_FOLDS if len(training.X) <= MANY_ROWS else FEW_FOLDS
        folds = min(folds, len(training.X))
        path = pruning_path(model, training.X, training.y, training.weights, cv=folds)
        validation, deviation = path.cv_error, path.cv_deviation
        source = f"by {folds}-fold cross-validation"
    if training is not None:
        rows = read_labeled(model, training.X, training.y, training.weights)
        errors = errors_along(model, path, rows)
    else:
        errors = _errors_of_nodes(subject, path)
    if validation is None and held_out is not None:
        validation, source = _errors_on(model, path, held_out), f"on {held_out.title}"
    return Prunings(path, errors, validation, deviation, source)


def _errors_on(model: Any, path: PruningPath, rows: GivenRows) -> Numbers | None:
    """Return the error of each tree on held-out rows; None if they have a class that the model does not know."""
    try:
        labeled = read_labeled(model, rows.X, rows.y, rows.weights)
    except DataError as error:
        if error.slug != "data.unknown-class":
            raise
        return None
    return errors_along(model, path, labeled)


def _errors_of_nodes(subject: Subject, path: PruningPath) -> Numbers | None:
    """Return the training error of each tree of a path from the counts of its leaves.

    None if some rows end in nodes that split, which the sum over leaves would leave out.
    """
    tree = subject.tree
    assert tree is not None
    ends, total = tree.n_children == 0, float(tree.weight[0])
    if not math.isclose(float(tree.weight[ends].sum()), total, rel_tol=1e-9):
        return None
    # A node is a leaf of the trees from its own step on, until an ancestor is one.
    slack = 1e-12 * abs(path.root_risk)
    own = np.where(ends, 0, np.searchsorted(path.alpha, path.link - slack))
    gone = np.full(tree.n_nodes, len(path))
    for node in range(1, tree.n_nodes):  # parents stand before their children
        parent = tree.parents[node]
        gone[node] = min(gone[parent], own[parent])
    wrong = tree.errors_of(np.arange(tree.n_nodes)) / total
    leaf = own < gone
    changes = np.bincount(own[leaf], wrong[leaf], len(path) + 1)
    changes -= np.bincount(gone[leaf], wrong[leaf], len(path) + 1)
    return np.maximum(np.cumsum(changes[:-1]), 0.0)


def pruning_blocks(subject: Subject, prunings: Prunings | None) -> list[Block]:
    """Return the error curve and a table of the prunings."""
    if prunings is None:
        return []
    path, unit = prunings.path, "errors" if subject.schema.classes else "squared error"
    blocks: list[Block] = [
        Text(
            "Cost-complexity pruning cuts the tree step by step. Small trees miss patterns, large trees fit noise; "
            "between them the error on new rows is least."
        )
    ]
    chart = _chart(prunings, unit)
    blocks += [Picture(chart)] if chart is not None else []
    choices = prunings.choices
    listed = spread_rows(len(path), MAX_LISTED, choices.values())
    errors = {"training": prunings.training, f"new rows ({prunings.source})": prunings.validation}
    errors["se"] = prunings.deviation
    digits = decimals(path.root_risk, 3)
    columns = [Column("leaves", tuple(count(path.leaves[i]) for i in listed))]
    columns += [
        Column(head, tuple(fixed(float(values[i]), digits) for i in listed))
        for head, values in errors.items()
        if values is not None
    ]
    columns.append(Column("alpha", tuple(f"{path.alpha[i]:.4g}" for i in listed)))
    names = [", ".join(name for name, at in choices.items() if at == i) for i in listed]
    columns += [Column("", tuple(names), left=True)] if any(names) else []
    left_out = len(path) - len(listed)
    more = [Text(f"… {plural(left_out, 'more tree')}")] if left_out else []
    return [*blocks, Table(tuple(columns), f"{unit} per row"), *more]


def _chart(prunings: Prunings, unit: str) -> LineChart | None:
    lines = {"training rows": prunings.training, "new rows": prunings.validation}
    known = {name: values for name, values in lines.items() if values is not None}
    if not known or len(prunings.path) < 2:
        return None
    order = np.argsort(prunings.path.leaves, kind="stable")
    leaves = prunings.path.leaves[order]
    bands = tuple(
        ()
        if name == "training rows" or prunings.deviation is None
        else tuple(prunings.deviation[order].tolist())
        for name in known
    )
    marks = tuple(
        (name, float(prunings.path.leaves[at]), float(known["new rows"][at]))
        for name, at in prunings.choices.items()
    )
    return LineChart(
        tuple(leaves.tolist()),
        tuple((name, tuple(values[order].tolist())) for name, values in known.items()),
        marks,
        f"{unit} per row against the number of leaves",
        ("leaves", f"{unit} per row"),
        bands=bands,
        log=True,
    )
