"""
Why was this predicted, and what would change it?
=================================================

The path of one row, how many training rows took it, and the smallest change to another prediction.
"""

from treewright import C45Classifier, datasets, explain

X, y = datasets.breast_cancer()
model = C45Classifier(prune=None, min_cases=10).fit(X, y)
print(explain(model, X[3:4]))
