"""
AdaBoost, round by round
========================

The stump of a round, its weighted error, its vote, and what happens to the weights of the rows.
"""

from treewright import AdaBoostClassifier, datasets, work

X, y = datasets.play_tennis()
model = AdaBoostClassifier(n_estimators=5).fit(X, y)
print(work(model, round=0))

# %%
# The rows that the first stump misclassified weigh more in the second round, so another stump wins:
print(work(model, round=1))
