"""
If-then rules
=============

A rule set from a C4.5 tree: conditions that do not help are dropped, and the first rule that matches decides.
"""

from treewright import RuleSetClassifier, datasets

X, y = datasets.vote()
print(RuleSetClassifier().fit(X, y))

# %%
# Every path of a tree as a rule:
from treewright import C45Classifier, to_rules

print(to_rules(C45Classifier().fit(X, y)))
