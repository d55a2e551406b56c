"""C4.5 on adult with pruning, its rules; pessimistic and cost-complexity pruning of a tree of 100,000 nodes."""

import os

import numpy as np
from tables import higgs_like
from timing import OURS, in_turn, report

from treewright import (
    C45Classifier,
    CARTClassifier,
    RuleSetClassifier,
    prune,
    pruning_path,
    read_csv,
)

ROWS = 300_000
path = os.environ.get("TREEWRIGHT_ADULT")
if path:
    table = read_csv(path)
    names = list(table.columns)
    X, y = table.drop([names[-1]]), table[names[-1]]
    seconds, fitted = in_turn({OURS: lambda: C45Classifier().fit(X, y)})
    nodes = int(fitted[OURS].tree_.n_nodes)
    report(
        "prune_adult",
        "C4.5 on adult, grown and pruned",
        seconds,
        {OURS: 0.6},
        rows=len(table),
        nodes=nodes,
    )
    seconds, rules = in_turn({OURS: lambda: RuleSetClassifier().fit(X, y)})
    count = len(rules[OURS].rules_)
    report("rules_adult", "C4.5rules on adult", seconds, {OURS: 60}, rows=len(table), rules=count)
else:
    print("left out: TREEWRIGHT_ADULT does not name the table")

numbers, score = higgs_like(ROWS)
labels = (score > np.median(score)) ^ (np.random.default_rng(1).random(ROWS) < 0.25)
tree = CARTClassifier().fit(numbers, labels.astype(int))
nodes = int(tree.tree_.n_nodes)
seconds, fitted = in_turn({OURS: lambda: prune(tree, "pessimistic", raising=False)})
report(
    "prune_pessimistic",
    "pessimistic pruning of a large tree, without raising",
    seconds,
    {OURS: 0.5},
    nodes=nodes,
    left=int(fitted[OURS].tree_.n_nodes),
)
contenders = {OURS: lambda: pruning_path(tree)}
facts = {"nodes": nodes}
try:
    from sklearn.tree import DecisionTreeClassifier
    from sklearn.tree._tree import ccp_pruning_path

    peer = DecisionTreeClassifier(random_state=0).fit(numbers, labels.astype(int))
    contenders["scikit-learn"] = lambda: ccp_pruning_path(peer.tree_)
    facts["nodes of scikit-learn"] = int(peer.tree_.node_count)
except ImportError:
    pass
seconds, fitted = in_turn(contenders)
report(
    "prune_path",
    "the whole cost-complexity path of a large tree",
    seconds,
    {OURS: 2.0},
    prunings=len(fitted[OURS]),
    **facts,
)
