"""
How much did each column contribute?
====================================

Shapley values of one prediction: they add up to the prediction minus the mean.
"""

from treewright import CARTRegressor, datasets, shap_values

X, y = datasets.cpu()
model = CARTRegressor(max_depth=4).fit(X, y)
print(shap_values(model, X[:3]))
