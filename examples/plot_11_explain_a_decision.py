"""
Why was this predicted, and what would change it?
=================================================

The path of one row, how many training rows took it, and the smallest change to another prediction.
"""

from treewright import C45Classifier, datasets, explain, show

X, y = datasets.breast_cancer()
model = C45Classifier(prune=None, min_cases=10).fit(X, y)
picture = show(model)

# %%
# One patient, in words:
print(explain(model, X[3:4]))

# %%
# Parts of the explanation are available as values, for a letter or a page of your own:
reason = explain(model, X[3:4])
document = reason.to_dict()
print(document["answer"], [round(probability, 3) for probability in document["says"]])
for change in document["changes"]:
    print(change["to"][0]["column"], "→", change["to"][0]["value"], "gives", change["answer"])
