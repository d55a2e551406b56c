"""
A short list of questions when answers are missing
==================================================

Will breast cancer recur? A nurse asks a few questions, and some answers are not known. C4.5 uses what is known; the
probability says how sure it is.
"""

from treewright import C45Classifier, datasets, explain, show

X, y = datasets.breast_cancer()
model = C45Classifier(smoothing="laplace").fit(X, y)
picture = show(model)

# %%
# All answers known:
known = {name: X[name][0] for name in X.columns}
print(explain(model, known))

# %%
# The most important answer is missing: the row takes every branch, weighted by the training rows there.
unknown = {**known, "node-caps": None}
print(explain(model, unknown))

# %%
# The probabilities of both:
print(model.predict_proba([known]).round(3), model.predict_proba([unknown]).round(3))
