"""
Who voted?
==========

The neighbors of a row, with their distances and votes. Two of the three kinds of iris overlap; this flower lies where
they do.
"""

from treewright import KNeighborsClassifier, datasets, explain_neighbors

X, y = datasets.iris()
model = KNeighborsClassifier(n_neighbors=5, weights="squared_distance").fit(X, y)

# %%
# The flower itself is among the training rows, at distance 0. It decides alone, so look at a copy that differs
# a little:
flower = {name: X[name][70] + 0.05 for name in X.columns}
print(explain_neighbors(model, [flower]))

# %%
# The flower among the others, by two of its four columns:
import matplotlib.pyplot as plt

for name in model.classes_:
    kind = X[y == name]
    plt.scatter(kind["petallength"], kind["petalwidth"], s=14, label=name)
plt.plot(flower["petallength"], flower["petalwidth"], "kx", markersize=10, label="this flower")
plt.xlabel("petallength")
plt.ylabel("petalwidth")
plt.legend()
plt.show()
