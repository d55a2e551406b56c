"""Pruning as a part of a fit: the learner passes a function that grows a tree, and gets a smaller one back.

Not here: how each method decides, which is in its own module.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright._input.encoding import encode_columns
from treewright._input.folds import folds, held_out, weka_folds
from treewright._pruning import pessimistic, reduced_error
from treewright._pruning.cost_complexity import path_of, trace_of
from treewright._pruning.cross_validation import add_errors
from treewright._pruning.pruning_plan import PruningPlan
from treewright._pruning.pruning_rows import LabeledRows
from treewright._pruning.trace import PruneTrace
from treewright._utils.validation import check_integer
from treewright.errors import Hint, UsageError
from treewright.tree import Tree

__all__ = ["PrunedForest", "grow_and_prune", "validation_rows"]

PrunedForest = tuple[_core.Forest, PruneTrace]
Grow = Callable[[TrainingData], _core.Forest]


def grow_and_prune(
    grow: Grow, data: TrainingData, plan: PruningPlan, *, as_weka: bool = False
) -> PrunedForest:
    """Grow a tree and prune it as planned, without raising branches.

    ``as_weka`` allows thresholds at the values of held-out rows, and counts rows that are divided in parts.
    """
    if plan.method == "cost_complexity":
        return _prune_by_penalty(grow, data, plan)
    if plan.method == "reduced_error":
        rows = validation_rows(data.codes, len(data), plan, data.order)
        forest = grow(data.with_zero_weight(rows) if as_weka else data.without(rows))
        pruned, trace = reduced_error.run(forest, _labeled(data, rows), in_parts=as_weka)
        return pruned, trace.about(Tree(forest, 0, data.schema))
    if data.schema.costs:
        raise UsageError(
            "pessimistic pruning counts errors, and costs weigh them",
            slug="prune.costs",
            hints=[Hint(option="prune", value="cost_complexity", others={"ccp_risk": "errors"})],
        )
    forest = grow(data)
    pruned, trace = pessimistic.run(forest, pessimistic.words("c4.5", plan.confidence))
    return pruned, trace.about(Tree(forest, 0, data.schema))


def validation_rows(
    codes: NDArray[np.uint32] | None,
    rows: int,
    plan: PruningPlan,
    order: Callable[[int], NDArray[np.int64]],
) -> NDArray[np.int64]:
    """Return the rows to hold out: a random share, or one of some folds. ``order`` gives the order of rows by a seed.

    With an order by content the choice does not depend on the position of rows; Weka's does.
    """
    if rows < 2:
        return np.zeros(0, dtype=np.int64)
    if plan.fraction is None and codes is not None:
        n_folds = check_integer("folds", plan.folds, minimum=2, maximum=rows)
        if plan.by_position:
            return weka_folds(codes, n_folds)[-1]
        return folds(codes, order(plan.seed), n_folds)[-1]
    share = 1 / plan.folds if plan.fraction is None else plan.fraction
    return held_out(codes, order(plan.seed), share)


def _prune_by_penalty(grow: Grow, data: TrainingData, plan: PruningPlan) -> PrunedForest:
    """Grow a full tree and prune it by a penalty per leaf, which cross-validation chooses if none is given."""
    forest = grow(data)
    tree = Tree(forest, 0, data.schema)
    path = path_of(tree, forest, plan.risk, shallow=plan.shallow)
    alpha, rows = plan.alpha, len(data)
    if alpha is None and rows > 1:

        def grow_without(part: NDArray[np.int64]) -> tuple[Tree, _core.Forest, LabeledRows]:
            rest = grow(data.without(part))
            return Tree(rest, 0, data.schema), rest, _labeled(data, part)

        parts = folds(data.codes, data.order(plan.seed), min(plan.folds, rows))
        path = add_errors(path, parts, grow_without, shallow=plan.shallow)
        alpha = float(path.alpha[path.one_se])
    alpha = alpha or 0.0
    pruned = _core.prune_nodes(forest, path.nodes(alpha))
    return pruned, trace_of(tree, path, alpha).about(tree)


def _labeled(data: TrainingData, rows: NDArray[np.int64]) -> LabeledRows:
    """Return some rows of the data as a pruner reads them."""
    columns = encode_columns(data.table[rows], data.schema)
    weights = np.ones(len(rows)) if data.weights is None else data.weights[rows]
    costs = tuple(cost for row in data.schema.costs for cost in row)
    classes = len(data.schema.classes) or None
    return LabeledRows(columns, data.labels[rows], classes, weights, costs)
