"""Cost-complexity pruning as a part of a fit: the learner says how it grows a tree, and gets a smaller one back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._encode import encode_columns
from treewright._recipe import number, word
from treewright._target import ClassTarget, NumberTarget
from treewright.pruning.choice import check_seed, cross_validated
from treewright.pruning.cost_complexity import RISKS, path_of, trace_of
from treewright.pruning.rows import Evidence
from treewright.pruning.trace import PruneTrace
from treewright.schema import Schema
from treewright.splitting import folds
from treewright.table import Table
from treewright.tree import Tree

__all__ = ["Lesson", "Price", "price_of", "priced"]

Weights = NDArray[np.float64] | None
Grow = Callable[[Weights], _core.Forest]


@dataclass(frozen=True)
class Price:
    """What a leaf costs, or how that is found out."""

    alpha: float | None
    risk: str
    folds: int
    seed: int
    shallow: bool


@dataclass(frozen=True, eq=False)
class Lesson:
    """What a learner learns from."""

    table: Table
    schema: Schema
    target: ClassTarget | NumberTarget
    weights: Weights

    def without(self, part: NDArray[np.int64]) -> tuple[NDArray[np.float64], Evidence]:
        """Return the weights with which some rows are absent, and these rows with their truth."""
        ones = np.ones(len(self.target)) if self.weights is None else self.weights
        kept = ones.copy()
        kept[part] = 0.0
        columns = [column[part] for column in encode_columns(self.table, self.schema)]
        costs = tuple(cost for row in self.schema.costs for cost in row)
        if isinstance(self.target, ClassTarget):
            classes = len(self.schema.classes)
            return kept, Evidence(columns, self.target.codes[part], classes, ones[part], costs)
        return kept, Evidence(columns, self.target.values[part], None, ones[part])


def price_of(params: dict[str, Any]) -> Price | None:
    """Check the parameters that prune; None where nothing is to be pruned."""
    shallow = params["variant"] == "rpart"
    risk = "errors" if shallow else "impurity"
    by, alpha = params["prune"], number("ccp_alpha", params["ccp_alpha"], least=0, optional=True)
    said = Price(
        alpha,
        word("ccp_risk", params["ccp_risk"] or risk, RISKS),
        number("folds", params["folds"], least=2, whole=True),
        check_seed(params["seed"]),
        shallow,
    )
    if by is not None:
        word("prune", by, ("cost_complexity",))
    return None if by is None and not alpha else said


def priced(grow: Grow, lesson: Lesson, price: Price) -> tuple[_core.Forest, PruneTrace]:
    """Grow a whole tree and cut what does not pay; without a price it is chosen by cross-validation (1-SE rule)."""
    forest = grow(lesson.weights)
    tree = Tree(forest, 0, lesson.schema)
    path = path_of(tree, forest, price.risk, shallow=price.shallow)
    alpha, rows = price.alpha, len(lesson.target)
    if alpha is None and rows > 1:

        def grown(part: NDArray[np.int64]) -> tuple[Tree, _core.Forest, Evidence]:
            kept, left_out = lesson.without(part)
            small = grow(kept)
            return Tree(small, 0, lesson.schema), small, left_out

        codes = lesson.target.codes if isinstance(lesson.target, ClassTarget) else None
        parts = folds(codes, rows, min(price.folds, rows), price.seed)
        path = cross_validated(path, parts, grown, shallow=price.shallow)
        alpha = float(path.alpha[path.one_se])
    small = _core.prune_nodes(forest, path.nodes(alpha or 0.0))
    return small, trace_of(tree, path, alpha or 0.0)
