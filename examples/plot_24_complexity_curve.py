"""
Too small, too large
====================

Errors on training rows and on new rows, for trees of every size.
"""

from treewright import CARTClassifier, complexity_curve, datasets

X, y = datasets.breast_cancer()
curve = complexity_curve(CARTClassifier(), X, y)
print(curve)

# %%
# The training error falls with every leaf. The error of cross-validation falls only at first, and then rises: larger
# trees learn what is chance.
picture = curve
