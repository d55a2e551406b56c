"""
How much did each column contribute?
====================================

SHAP values divide the difference between a prediction and the average prediction among the columns.
"""

from treewright import CARTRegressor, datasets, shap_values

X, y = datasets.cpu()
model = CARTRegressor(max_depth=4).fit(X, y)
values = shap_values(model, X[:3])
print(values)

# %%
# For every row they add up exactly to what the model predicts:
for row, total in enumerate(values.values.sum(axis=1) + values.expected, 1):
    print(f"row {row}: {total:.3f}, predicted {model.predict(X[row - 1 : row])[0]:.3f}")
