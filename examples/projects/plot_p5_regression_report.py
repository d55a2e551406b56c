"""
A report about a tree of numbers
================================

How does diabetes progress? A pruned regression tree of 442 patients, and one HTML file for those who decide.
"""

from pathlib import Path
from tempfile import mkdtemp

from sklearn.datasets import load_diabetes

from treewright import CARTRegressor, report, show

data = load_diabetes(as_frame=True, scaled=False)
X, y = data.data, data.target.rename("progression")
model = CARTRegressor(prune="cost_complexity").fit(X, y)
picture = show(model, X=X, y=y)

# %%
# The file contains accuracy, calculations, importances, pruning and cautions, and lets the reader try a case:
path = Path(mkdtemp()) / "report.html"
report(model, X, y, str(path))
print(path.name, path.stat().st_size > 100_000)
