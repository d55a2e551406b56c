"""An exact tree on 400,000 rows of 54 columns with few distinct values, 7 classes, full depth."""

from sklearn.tree import DecisionTreeClassifier
from tables import cover_like
from timing import OURS, in_turn, report

from treewright import CARTClassifier

X, y = cover_like(400_000)
test, truth = cover_like(100_000, seed=1)
peers = {"scikit-learn": lambda: DecisionTreeClassifier(random_state=0).fit(X, y)}
seconds, fitted = in_turn({OURS: lambda: CARTClassifier().fit(X, y), **peers}, rounds=5)
accuracy = {name: float((fitted[name].predict(test) == truth).mean()) for name in fitted}
report(
    "low_cardinality",
    "exact tree, 400,000 x 54 low-cardinality, 7 classes",
    seconds,
    {"scikit-learn": 33},
    accuracy=accuracy,
    nodes=int(fitted[OURS].tree_.n_nodes),
    nodes_of_sklearn=int(fitted["scikit-learn"].tree_.node_count),
)
