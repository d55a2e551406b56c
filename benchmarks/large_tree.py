"""A tree of more than 100,000 nodes: drawn, explained and written as JSON."""

import numpy as np
from timing import OURS, in_turn, report

from treewright import CARTClassifier, explain, export, show

rng = np.random.default_rng(0)
X = rng.standard_normal((300_000, 6)).astype(np.float32)
tree = CARTClassifier().fit(X, rng.integers(0, 2, len(X)))
nodes = int(tree.tree_.n_nodes)
TASKS = {
    "large_show": ("a large tree drawn", lambda: str(show(tree))),
    "large_explain": ("one row of a large tree explained", lambda: str(explain(tree, X[:1]))),
    "large_json": ("a large tree as JSON", lambda: export(tree, "json")),
}
for task, (title, work) in TASKS.items():
    seconds, fitted = in_turn({OURS: work})
    report(task, title, seconds, {OURS: 2.0}, nodes=nodes, characters=len(fitted[OURS]))
