"""
If-then rules
=============

A rule set from a C4.5 tree: conditions that do not help are dropped, and the first rule that matches decides.
"""

from treewright import C45Classifier, RuleSetClassifier, datasets, show, to_rules

X, y = datasets.vote()
print(show(RuleSetClassifier().fit(X, y)))

# %%
# The tree has the same columns, but repeats its first question in every rule:
tree = C45Classifier().fit(X, y)
print(to_rules(tree))

# %%
# Each rule is a path of this tree, from the root to a leaf:
picture = show(tree)
