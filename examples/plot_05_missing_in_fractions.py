"""
Missing values in fractions
===========================

A row with a missing value goes into every branch, with the share of the known rows as its weight.
"""

from treewright import C45Classifier, datasets, show

X, y = datasets.labor()
model = C45Classifier().fit(X, y)
picture = show(model)

# %%
# Weights with fractions are rows that were divided:
print(show(model, style="table"))
