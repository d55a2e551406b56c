"""A regression tree on 200,000 rows of 28 continuous columns, at least 5 rows per leaf."""

import numpy as np
from sklearn.tree import DecisionTreeRegressor
from tables import higgs_like
from timing import OURS, in_turn, report

from treewright import CARTRegressor

X, y = higgs_like(200_000)
test, truth = higgs_like(100_000, seed=1)
peers = {
    "scikit-learn": lambda: DecisionTreeRegressor(min_samples_leaf=5, random_state=0).fit(X, y)
}
seconds, fitted = in_turn(
    {OURS: lambda: CARTRegressor(min_samples_leaf=5).fit(X, y), **peers}, rounds=5
)
error = {name: float(np.mean((fitted[name].predict(test) - truth) ** 2)) for name in fitted}
report(
    "regression",
    "regression tree, 200,000 x 28, min leaf 5",
    seconds,
    {"scikit-learn": 60},
    squared_error=error,
    nodes=int(fitted[OURS].tree_.n_nodes),
    nodes_of_sklearn=int(fitted["scikit-learn"].tree_.node_count),
)
