"""
How many trees does a forest need?
==================================

About a third of the rows are left out of the sample of each tree. These *out-of-bag* rows test the forest without a
second table. Their error is known after each tree:
"""

import matplotlib.pyplot as plt

from treewright import RandomForestClassifier, datasets

X, y = datasets.breast_cancer()
forest = RandomForestClassifier(n_estimators=300, oob_score=True, random_state=0).fit(X, y)
plt.plot(range(1, 301), forest.oob_curve_)
plt.xlabel("trees")
plt.ylabel("error on out-of-bag rows")
plt.show()

# %%
# The error falls quickly at first. More trees rarely hurt, but they soon stop helping:
for trees in (1, 10, 50, 100, 300):
    print(f"{trees:3} trees: error {forest.oob_curve_[trees - 1]:.3f}")

# %%
# Each tree is grown in full. It fits its own sample and errs elsewhere; the average of many errs less:
from treewright import show

print(show(forest, tree=0, depth=2))
