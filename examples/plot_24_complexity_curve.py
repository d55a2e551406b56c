"""
Too small, too large
====================

Training and validation error for trees of every size: the first falls for ever, the second turns.
"""

from treewright import CARTClassifier, complexity_curve, datasets

X, y = datasets.breast_cancer()
curve = complexity_curve(CARTClassifier(), X, y)
print(curve)
picture = curve
