"""
A tree of numbers
=================

How fast is a computer? Each leaf predicts the mean of its rows.
"""

from treewright import CARTRegressor, datasets, show

X, y = datasets.cpu()
model = CARTRegressor(max_depth=3).fit(X, y)
picture = show(model, X=X, y=y)
