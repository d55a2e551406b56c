"""
AdaBoost, round by round
========================

The stump of a round, its weighted error, its vote, and what happens to the weights of the rows.
"""

from treewright import AdaBoostClassifier, datasets, work

X, y = datasets.play_tennis()
model = AdaBoostClassifier(n_estimators=5).fit(X, y)
for round_number in range(2):
    print(work(model, round=round_number))
