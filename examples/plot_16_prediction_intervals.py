"""
Predictions with an interval
============================

A forest that keeps the targets of its training rows knows how far they scatter around a prediction.
"""

import matplotlib.pyplot as plt

from treewright import RandomForestRegressor, datasets

X, y = datasets.cpu()
forest = RandomForestRegressor(n_estimators=200, keep_targets=True, random_state=0).fit(X, y)

# %%
# Nine of ten targets should lie within the interval. Wide intervals belong to fast computers, of which there are few:
predictions, intervals = forest.predict(X[:8]), forest.predict_interval(X[:8])
for row, (prediction, (low, high)) in enumerate(zip(predictions, intervals, strict=True), 1):
    print(
        f"row {row}: {prediction:6.1f}   interval {low:6.1f} to {high:6.1f}   true {y[row - 1]:6.1f}"
    )

# %%
# All computers, ordered by their predictions:
predictions, intervals = forest.predict(X), forest.predict_interval(X)
order = predictions.argsort()
ranks = range(len(order))
plt.fill_between(ranks, *intervals[order].T, alpha=0.3, label="interval")
plt.plot(ranks, predictions[order], label="prediction")
plt.plot(ranks, y[order], "k.", markersize=3, label="true")
plt.yscale("log")
plt.xlabel("computers, slowest first")
plt.legend()
plt.show()
