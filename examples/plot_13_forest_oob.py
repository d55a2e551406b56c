"""
How many trees does a forest need?
==================================

The error on out-of-bag rows, as trees are added.
"""

from treewright import RandomForestClassifier, datasets

X, y = datasets.breast_cancer()
forest = RandomForestClassifier(n_estimators=300, oob_score=True, random_state=0).fit(X, y)
print(f"correct on out-of-bag rows: {forest.oob_score_:.3f}")

# %%
# One of its trees:
from treewright import show

picture = show(forest, tree=0)
