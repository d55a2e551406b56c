"""Models of many trees for the tests: trees of CART on parts of the rows, combined in every way."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import CARTClassifier, CARTRegressor, _core
from treewright._estimator.ensemble import AdditiveClassifier, EnsembleRegressor
from treewright.schema import Schema
from treewright.table import Table


class Many(AdditiveClassifier):
    """A classifier of a few trees, each grown from other rows."""

    _saved_attributes: ClassVar[tuple[str, ...]] = ("rounds_", "notes_")

    def __init__(self, n_estimators: int = 5, combine: str = "mean", n_jobs: int | None = 1):
        self.n_estimators = n_estimators
        self.combine = combine
        self.n_jobs = n_jobs

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: NDArray[np.float64] | None
    ) -> _core.Forest:
        grower = CARTClassifier(max_depth=3)
        forests = []
        for i in range(self.n_estimators):
            part = np.arange(len(table)) % (i + 2) > 0
            forests.append(grower._learn(table[part], schema, target.take(part), None))
        self.rounds_ = np.array([0.5, np.nan, 2.0])
        self.notes_ = 7
        return _core.Forest.joined(forests, self._words())

    def _words(self) -> dict[str, Any] | None:
        if self.combine == "mean":
            return None
        scales = [1.0 + i / 3 for i in range(self.n_estimators)]
        return {"how": "vote", "link": "softmax", "base": [], "scales": scales, "targets": []}


class Boosted(EnsembleRegressor):
    """The sum of a few trees of halved values."""

    def __init__(self, n_estimators: int = 4, how: str = "sum"):
        self.n_estimators = n_estimators
        self.how = how

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: NDArray[np.float64] | None
    ) -> _core.Forest:
        forests = []
        for i in range(self.n_estimators):
            part = np.arange(len(table)) % (i + 2) > 0
            grower = CARTRegressor(max_depth=3)
            forests.append(grower._learn(table[part], schema, target.take(part), None))
        scales, base = [0.5 + i for i in range(self.n_estimators)], [0.25]
        words = {"how": self.how, "link": "identity", "base": base, "scales": scales, "targets": []}
        return _core.Forest.joined(forests, words | ({} if self.how == "sum" else {"base": []}))
