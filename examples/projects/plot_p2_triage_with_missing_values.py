"""
Who first? Triage with missing values
=====================================

569 tumors were measured under a microscope, and 212 of them are malignant. In a busy clinic some measurements are
missing. C4.5 uses what is known, in training and for each new patient, and its probabilities put the patients in order.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from treewright import C45Classifier, ZeroRClassifier, compare, evaluate, explain, show

data = load_breast_cancer(as_frame=True)
measured = data.data.iloc[:, :10]
measured.columns = [name.removeprefix("mean ") for name in measured.columns]
y = data.target.map({0: "malignant", 1: "benign"})

# %%
# The table is complete, so hide a fifth of all measurements. The tree needs no filling in:
random = np.random.default_rng(0)
X = measured.mask(random.random(measured.shape) < 0.2)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0, stratify=y)
model = C45Classifier(min_cases=10, smoothing="laplace").fit(X_train, y_train)
picture = show(model)

# %%
# Is it better than no tree? And how good is it on patients that took no part?
print(compare({"C4.5": model, "always benign": ZeroRClassifier()}, X_train, y_train))
print(evaluate(model, X_test, y_test))

# %%
# **The list of the morning.** The patients with the highest probabilities come first. Of the first twenty, how many are
# malignant?
probability = model.predict_proba(X_test)[:, list(model.classes_).index("malignant")]
order = (-probability).argsort(kind="stable")
print((y_test.iloc[order[:20]] == "malignant").sum(), "of the first 20")
print((y_test == "malignant").sum(), "of all", len(y_test))

# %%
# **Why is this patient here?** A patient for whom the first question has no answer takes every branch, weighted by the
# training rows there:
asked_first = X.columns[model.tree_.feature[0]]
without = next(row for row in order if X_test[asked_first].isna().iloc[row])
print(explain(model, X_test.iloc[[without]]))

# %%
# **How many measurements may be missing?** The same tree on the same patients, with more and more of them hidden:
complete = measured.loc[X_test.index]
for hidden in (0, 0.2, 0.4, 0.6, 0.8):
    masked = complete.mask(random.random(complete.shape) < hidden)
    measures = evaluate(model, masked, y_test).measures
    print(f"{hidden:4.0%} hidden   accuracy {measures['accuracy']:.3f}   AUC {measures['auc']:.3f}")

# %%
# With two of five measurements missing the order of the patients is still as good as before. With four of five it is
# not: then the tree knows little more than how frequent the classes are.
