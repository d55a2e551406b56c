"""
Baselines: no question, one question
====================================

0-R always predicts the most frequent class, 1-R asks for one column. A tree has to be better than both.
"""

from treewright import C45Classifier, OneRClassifier, ZeroRClassifier, compare, datasets, show

X, y = datasets.iris()
print(show(OneRClassifier().fit(X, y)))

# %%
# The three on the same folds:
comparison = compare(
    {"0-R": ZeroRClassifier(), "1-R": OneRClassifier(), "C4.5": C45Classifier()}, X, y
)
print(comparison)
picture = comparison
