"""
Where the thresholds lie
========================

With its rows, each node of a picture shows their distribution and the threshold among them.
"""

from treewright import CARTClassifier, datasets, show

X, y = datasets.iris()
model = CARTClassifier(max_depth=3).fit(X, y)
picture = show(model, X=X, y=y)
