"""
Are the probabilities true?
===========================

Of the rows with a predicted probability near 80%, about 80% should have the class. Only rows that the model was not
trained on can tell.
"""

from sklearn.model_selection import train_test_split

from treewright import RandomForestClassifier, calibration_curve, datasets

X, y = datasets.breast_cancer()
train, test = train_test_split(range(len(y)), test_size=0.5, random_state=0)
model = RandomForestClassifier(n_estimators=100, random_state=0).fit(X[train], y[train])
curve = calibration_curve(model, X[test], y[test])
print(curve)

# %%
# A true probability lies on the diagonal. With few rows in each group the curve is ragged, so do not read much into one
# point:
picture = curve
