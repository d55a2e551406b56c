"""
Why C4.5 cuts a subtree
=======================

Pessimistic pruning compares upper limits of errors; every decision is kept with its numbers.
"""

from treewright import C45Classifier, datasets, show

X, y = datasets.vote()
model = C45Classifier().fit(X, y)
picture = show(model)

# %%
# The decisions, from the leaves upward:
print(model.pruning_)
