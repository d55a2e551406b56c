"""
A tree of numbers
=================

How fast is a computer? Each leaf predicts the mean of its training rows.
"""

from treewright import CARTRegressor, datasets, show

X, y = datasets.cpu()
model = CARTRegressor(max_depth=3).fit(X, y)
print(f"R² on the training rows: {model.score(X, y):.3f}")

# %%
# The darker a leaf, the larger its mean. Few computers are fast, so the leaves on the right have few rows:
picture = show(model, X=X, y=y)
