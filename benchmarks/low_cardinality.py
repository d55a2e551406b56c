"""An exact tree on 400,000 rows of 54 columns with few different numbers, 7 classes, grown to the end."""

from sklearn.tree import DecisionTreeClassifier
from tables import cover_like
from timing import OURS, in_turn, report

from treewright import CARTClassifier

X, y = cover_like(400_000)
test, truth = cover_like(100_000, seed=1)
peers = {"scikit-learn": lambda: DecisionTreeClassifier(random_state=0).fit(X, y)}
seconds, made = in_turn({OURS: lambda: CARTClassifier().fit(X, y), **peers})
accuracy = {name: float((made[name].predict(test) == truth).mean()) for name in made}
report(
    "low_cardinality",
    "exact tree, 400,000 x 54 low-cardinality, 7 classes",
    seconds,
    {"scikit-learn": 30},
    accuracy=accuracy,
    nodes=int(made[OURS].tree_.n_nodes),
    nodes_of_sklearn=int(made["scikit-learn"].tree_.node_count),
)
