"""
Who voted?
==========

The neighbors of a row with their distances and the shares of their votes.
"""

from treewright import KNeighborsClassifier, datasets, explain_neighbors

X, y = datasets.iris()
model = KNeighborsClassifier(n_neighbors=5, weights="squared_distance").fit(X, y)
print(explain_neighbors(model, X[70:71]))
