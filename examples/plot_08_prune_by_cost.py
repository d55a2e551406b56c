"""
Smaller trees by cost complexity
================================

Each leaf adds a penalty (alpha). The larger the penalty, the smaller the best tree; cross-validation chooses among the
sizes.
"""

from treewright import CARTClassifier, datasets, prune, pruning_path, show

X, y = datasets.breast_cancer()
model = CARTClassifier().fit(X, y)
path = pruning_path(model, X, y, cv=10)
print(path)

# %%
# The smallest tree within one standard error of the minimum error:
small = prune(model, "cost_complexity", X, y, cv=10, choose="1se")
picture = show(small)
