"""
When errors have different costs
================================

A missed recurrence costs five times as much as a false alarm: from which probability on should one act?
"""

from sklearn.model_selection import train_test_split

from treewright import RandomForestClassifier, choose_threshold, datasets

X, y = datasets.breast_cancer()
train, test = train_test_split(range(len(y)), test_size=0.5, random_state=0)
model = RandomForestClassifier(n_estimators=100, random_state=0).fit(X[train], y[train])
choice = choose_threshold(model, X[test], y[test], fp=1, fn=5)
print(choice)

# %%
# The cost at every threshold. The curve is flat around its minimum, so a round number near it does as well:
picture = choice
