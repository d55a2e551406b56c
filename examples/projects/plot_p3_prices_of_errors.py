"""
When a miss costs five times a false alarm
==========================================

As with customers who leave, or a disease that returns: accuracy is the wrong measure. Choose the threshold by what
errors cost, on rows that the model has not seen.
"""

from sklearn.model_selection import train_test_split

from treewright import GradientBoostingClassifier, choose_threshold, datasets, lift_curve

X, y = datasets.breast_cancer()
train, test = train_test_split(range(len(y)), test_size=0.5, random_state=0, stratify=list(y))
model = GradientBoostingClassifier(n_estimators=50, max_leaf_nodes=4, random_state=0).fit(
    X[train], y[train]
)
choice = choose_threshold(model, X[test], y[test], fp=1, fn=5)
print(choice)

# %%
# Whom to call first? The share of all recurrences among the rows with the highest probability:
picture = lift_curve(model, X[test], y[test])
