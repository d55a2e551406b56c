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

# %%
# The first row: which columns raise its prediction above the average, and which lower it?
import matplotlib.pyplot as plt

order = abs(values.values[0]).argsort()
names = [f"{X.columns[i]} = {X[X.columns[i]][0]:g}" for i in order]
contributions = values.values[0][order]
plt.barh(names, contributions, color=["C0" if c > 0 else "C1" for c in contributions])
plt.axvline(0, color="gray", linewidth=1)
plt.xlabel(f"contribution; the average prediction is {values.expected:.0f}")
plt.tight_layout()
plt.show()
