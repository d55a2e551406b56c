"""
What boosting has learned about a column
========================================

The mean prediction for every value of one column, with all other columns as they are (partial dependence).
"""

from treewright import GradientBoostingRegressor, datasets, partial_dependence

X, y = datasets.cpu()
model = GradientBoostingRegressor(n_estimators=100, max_leaf_nodes=4, random_state=0).fit(X, y)
effect = partial_dependence(model, X, "MMAX")
print(effect)

# %%
# More memory means a faster computer. The steps are thresholds of the trees:
picture = effect
