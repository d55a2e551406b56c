"""
Predictions with an interval
============================

A forest of numbers knows how far its training rows scatter.
"""

from treewright import RandomForestRegressor, datasets

X, y = datasets.cpu()
forest = RandomForestRegressor(n_estimators=200, keep_targets=True, random_state=0).fit(X, y)
low_high = forest.predict_interval(X[:5])
for row, prediction, interval in zip(range(5), forest.predict(X[:5]), low_high, strict=True):
    print(f"row {row}: {prediction:6.1f}   {interval.round(1)}")
