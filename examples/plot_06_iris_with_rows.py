"""
Where the thresholds lie
========================

A tree that has its rows at hand shows their distribution in each node, and the threshold among them.
"""

from treewright import CARTClassifier, datasets, show

X, y = datasets.iris()
model = CARTClassifier(max_depth=3).fit(X, y)

# %%
# The first threshold lies in a wide gap. Those below divide rows that overlap, so other samples of flowers would move
# them:
picture = show(model, X=X, y=y)
