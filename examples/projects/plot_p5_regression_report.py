"""
A report about a tree of numbers
================================

How does diabetes progress? A pruned regression tree of 442 patients, what it is worth, and one HTML file for those who
decide.
"""

from pathlib import Path
from tempfile import mkdtemp

from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split

from treewright import (
    CARTRegressor,
    RandomForestRegressor,
    ZeroRRegressor,
    compare,
    evaluate,
    report,
    show,
)

data = load_diabetes(as_frame=True, scaled=False)
X, y = data.data, data.target.rename("progression")
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0)
model = CARTRegressor(prune="cost_complexity").fit(X_train, y_train)
picture = show(model, X=X_train, y=y_train)

# %%
# A full tree would have a leaf for nearly every patient. Cross-validation has kept the few questions that help with new
# ones:
full = CARTRegressor().fit(X_train, y_train)
print(f"{full.tree_.n_leaves} leaves in full, {model.tree_.n_leaves} after pruning")
print(evaluate(model, X_test, y_test))

# %%
# What would a larger model gain? The same folds for all:
models = {
    "pruned tree": CARTRegressor(prune="cost_complexity"),
    "full tree": CARTRegressor(),
    "forest": RandomForestRegressor(random_state=0),
    "mean": ZeroRRegressor(),
}
comparison = compare(models, X_train, y_train, measures=["rmse"])
print(comparison)

# %%
# The same as a picture. The forest is better, but nobody can read it; the full tree is no better than the mean:
picture = comparison

# %%
# The report has accuracy on both tables, calculations, importances, pruning and cautions, and lets the reader try a
# case. It contains sums of the rows, not the rows:
path = Path(mkdtemp()) / "report.html"
report(model, X_train, y_train, str(path), test=(X_test, y_test), title="Progression of diabetes")
print(path.name, f"{path.stat().st_size / 1000:.0f} KB")
