"""
Missing values in fractions
===========================

A row with a missing value goes into every branch, weighted by the fraction of the known rows there.
"""

from treewright import C45Classifier, datasets, show

X, y = datasets.labor()
model = C45Classifier().fit(X, y)
picture = show(model)

# %%
# A weight that is not a whole number comes from rows that were split:
print(show(model, style="table"))
