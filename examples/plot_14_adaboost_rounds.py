"""
AdaBoost, round by round
========================

The stump of a round, its weighted error, its vote, and what happens to the weights of the rows.
"""

import matplotlib.pyplot as plt

from treewright import AdaBoostClassifier, datasets, work

X, y = datasets.play_tennis()
model = AdaBoostClassifier(n_estimators=30).fit(X, y)
print(work(model, round=0))

# %%
# The rows that the first stump misclassified weigh more in the second round, so another stump wins:
print(work(model, round=1))

# %%
# Every stump alone is weak. The errors that the vote of all stumps so far makes on the training rows:
errors = [round((1 - score) * len(y)) for score in model.staged_score(X, y)]
plt.step(range(1, len(errors) + 1), errors, where="mid")
plt.xlabel("round")
plt.ylabel("errors on 14 training rows")
plt.show()
