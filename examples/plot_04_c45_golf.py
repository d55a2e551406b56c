"""
Thresholds: C4.5 on the golf table
==================================

Temperature and humidity are numbers here; C4.5 looks for the best threshold in each node.
"""

from treewright import C45Classifier, datasets, show, work

X, y = datasets.golf()
model = C45Classifier().fit(X, y)
picture = show(model)

# %%
# The thresholds of the node below "sunny":
print(work(model, 1))
