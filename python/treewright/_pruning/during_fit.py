"""Pruning as a part of a fit: the learner says how it grows a tree, and gets a smaller one back.

Not here: how each method decides, which its own module knows.

Glossary: a *plan* is the parameters that prune, checked; a *lesson* is what a learner learns from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._input.encoding import encode_columns
from treewright._input.folds import dealt, folds, held_out
from treewright._input.row_order import row_order
from treewright._input.target import ClassTarget, NumberTarget
from treewright._pruning import pessimistic, reduced_error
from treewright._pruning.cost_complexity import RISKS, path_of, trace_of
from treewright._pruning.cross_validation import check_seed, cross_validated
from treewright._pruning.pruning_rows import Evidence
from treewright._pruning.trace import PruneTrace
from treewright._utils.validation import number, word
from treewright.errors import Hint, UsageError
from treewright.schema import Schema
from treewright.table import Table
from treewright.tree import Tree

__all__ = ["Lesson", "Plan", "plan_of", "pruned", "validation"]

# How the tree of a class is pruned; that of a number has no errors to count.
METHODS = ("pessimistic", "reduced_error", "cost_complexity")
# The folds that are meant where none are said: one of three is held out, each of ten is left out in turn.
FOLDS = {"reduced_error": 3, "cost_complexity": 10}
Result = tuple[_core.Forest, PruneTrace]


@dataclass(frozen=True)
class Plan:
    """How a tree is pruned, checked."""

    by: str
    confidence: float
    fraction: float | None
    alpha: float | None
    risk: str
    folds: int
    seed: int
    shallow: bool
    # Whether rows are held out by their places in the table, as Weka does.
    by_place: bool


@dataclass(frozen=True, eq=False)
class Lesson:
    """What a learner learns from."""

    table: Table
    schema: Schema
    target: ClassTarget | NumberTarget
    weights: NDArray[np.float64] | None

    def __len__(self) -> int:
        return len(self.target)

    @property
    def codes(self) -> NDArray[np.uint32] | None:
        """The class of each row; None where the target is a number."""
        return self.target.codes if isinstance(self.target, ClassTarget) else None

    @property
    def truth(self) -> NDArray[Any]:
        """The class of each row, or its number."""
        return self.target.codes if isinstance(self.target, ClassTarget) else self.target.values

    def order(self, seed: int) -> NDArray[np.int64]:
        """Return the rows in a random order that follows from what they hold."""
        return row_order(self.table, self.truth, self.weights, seed)

    def without(self, part: NDArray[np.int64]) -> Lesson:
        """Return the lesson without some rows, its names and classes as they were."""
        kept = np.setdiff1d(np.arange(len(self)), part)
        weights = None if self.weights is None else self.weights[kept]
        if isinstance(self.target, ClassTarget):
            target: Any = replace(self.target, codes=self.target.codes[kept])
        else:
            target = self.target.take(kept)
        return Lesson(self.table[kept], self.schema, target, weights)

    def silenced(self, part: NDArray[np.int64]) -> Lesson:
        """Return the lesson with some rows that count nothing, while their values are still places to cut at."""
        weights = np.ones(len(self)) if self.weights is None else self.weights.copy()
        weights[part] = 0.0
        return replace(self, weights=weights)

    def evidence(self, part: NDArray[np.int64]) -> Evidence:
        """Return some rows with their truth."""
        columns = encode_columns(self.table[part], self.schema)
        weights = np.ones(len(part)) if self.weights is None else self.weights[part]
        costs = tuple(cost for row in self.schema.costs for cost in row)
        classes = len(self.schema.classes) or None
        return Evidence(columns, self.truth[part], classes, weights, costs)


Grow = Callable[[Lesson], _core.Forest]


def plan_of(params: Mapping[str, Any], *, classes: bool = True) -> Plan | None:
    """Check the parameters that prune; None where nothing is to be pruned."""
    given = params.get
    shallow = given("variant") == "rpart"
    by, alpha = given("prune"), number("ccp_alpha", given("ccp_alpha"), least=0, optional=True)
    if by is not None:
        word("prune", by, METHODS if classes else METHODS[1:])
    if alpha and by not in (None, "cost_complexity"):
        raise UsageError(
            f"ccp_alpha belongs to prune='cost_complexity', not to {by!r}", slug="usage.parameter"
        )
    if alpha:
        by = "cost_complexity"
    said = number("folds", given("folds"), least=2, whole=True, optional=True)
    fraction = number(
        "validation_fraction", given("validation_fraction"), least=0, most=1, optional=True
    )
    plan = Plan(
        by or "",
        number("confidence", given("confidence", 0.25), least=0, most=1),
        fraction,
        alpha,
        word("ccp_risk", given("ccp_risk") or ("errors" if shallow else "impurity"), RISKS),
        said or FOLDS.get(by or "", 2),
        check_seed(given("seed", 0)),
        shallow,
        given("variant") == "j48",
    )
    return plan if by else None


def pruned(grow: Grow, lesson: Lesson, plan: Plan, *, as_weka: bool = False) -> Result:
    """Grow a tree and prune it as planned, without raising.

    ``as_weka`` keeps the values of rows held out as places to cut at, and counts rows that divide in parts.
    """
    if plan.by == "pessimistic":
        if lesson.schema.costs:
            raise UsageError(
                "pessimistic pruning counts errors, and costs weigh them",
                slug="prune.costs",
                hints=[
                    Hint(option="prune", value="cost_complexity", others={"ccp_risk": "errors"})
                ],
            )
        forest = grow(lesson)
        rules = pessimistic.words("c4.5", plan.confidence)
        return _with_tree(forest, lesson, *pessimistic.run(forest, rules))
    if plan.by == "reduced_error":
        part = validation(lesson.codes, len(lesson), plan, lesson.order)
        forest = grow(lesson.silenced(part) if as_weka else lesson.without(part))
        found = reduced_error.run(forest, lesson.evidence(part), in_parts=as_weka)
        return _with_tree(forest, lesson, *found)
    return _priced(grow, lesson, plan)


def _with_tree(
    grown: _core.Forest, lesson: Lesson, small: _core.Forest, trace: PruneTrace
) -> Result:
    return small, trace.about(Tree(grown, 0, lesson.schema))


def validation(
    codes: NDArray[np.uint32] | None,
    rows: int,
    plan: Plan,
    order: Callable[[int], NDArray[np.int64]],
) -> NDArray[np.int64]:
    """Choose the rows to prune by: a share at random, or one of some folds; ``order`` gives the rows' order by a seed.

    Of an order by what rows hold the choice does not depend on where they stand; Weka deals them out by their places.
    """
    if rows < 2:
        return np.zeros(0, dtype=np.int64)
    if plan.fraction is None and codes is not None:
        parts = number("folds", plan.folds, least=2, most=rows, whole=True)
        return (
            dealt(codes, parts)[-1] if plan.by_place else folds(codes, order(plan.seed), parts)[-1]
        )
    share = 1 / plan.folds if plan.fraction is None else plan.fraction
    return held_out(codes, order(plan.seed), share)


def _priced(grow: Grow, lesson: Lesson, plan: Plan) -> Result:
    """Grow a whole tree and cut what does not pay; without a price it is chosen by cross-validation (1-SE rule)."""
    forest = grow(lesson)
    tree = Tree(forest, 0, lesson.schema)
    path = path_of(tree, forest, plan.risk, shallow=plan.shallow)
    alpha, rows = plan.alpha, len(lesson)
    if alpha is None and rows > 1:

        def grown(part: NDArray[np.int64]) -> tuple[Tree, _core.Forest, Evidence]:
            small = grow(lesson.without(part))
            return Tree(small, 0, lesson.schema), small, lesson.evidence(part)

        parts = folds(lesson.codes, lesson.order(plan.seed), min(plan.folds, rows))
        path = cross_validated(path, parts, grown, shallow=plan.shallow)
        alpha = float(path.alpha[path.one_se])
    small = _core.prune_nodes(forest, path.nodes(alpha or 0.0))
    return _with_tree(forest, lesson, small, trace_of(tree, path, alpha or 0.0))
