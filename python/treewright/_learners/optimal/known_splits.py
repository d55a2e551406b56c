"""The splits of trees that are already there, which an optimal tree must be able to have: so it is never worse.

A CART tree of the same depth gives splits where not every threshold is searched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from treewright import _core
from treewright._estimator.training_data import TrainingData
from treewright._learners.optimal.candidate_splits import SplitAt
from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
from treewright.schema import Schema
from treewright.table import MISSING

__all__ = ["greedy_splits", "splits_of"]


def greedy_splits(model: Any, data: TrainingData, depth: int) -> list[SplitAt]:
    """Return the splits of a CART tree with the limits of a model, grown on the same rows."""
    kind = CARTClassifier if data.n_classes else CARTRegressor
    cart: Any = kind(max_depth=depth, min_samples_leaf=model.min_samples_leaf)
    return list(splits_of(data.grow(cart._recipe(data)).tree(0), data.schema))


def splits_of(tree: _core.Tree, schema: Schema) -> Iterator[SplitAt]:
    """Yield the splits of a node table that have two sides."""
    for node in np.flatnonzero(np.asarray(tree.n_children) == 2).tolist():
        feature = int(tree.feature[node])
        column = schema.columns[feature]
        if column.kind == "numeric":
            yield SplitAt(feature, float(tree.threshold[node]))
            continue
        start = int(tree.route_start[node])
        route = np.asarray(tree.route)[start : start + len(column.levels)]
        left = frozenset(np.flatnonzero(route == 0).tolist())
        # Missing values may have been on either side.
        yield SplitAt(feature, left=left)
        yield SplitAt(feature, left=left | {MISSING})
