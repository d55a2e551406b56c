"""
How mixed is a set of two classes?
==================================

Entropy, Gini index and error of the majority, for every share of one class.
"""

import numpy as np

from treewright.measures import entropy, gini

shares = np.linspace(0, 1, 101)
curves = {
    "entropy / 2": [entropy([p, 1 - p]) / 2 for p in shares],
    "Gini index": [gini([p, 1 - p]) for p in shares],
    "error": [min(p, 1 - p) for p in shares],
}

import matplotlib.pyplot as plt

for name, values in curves.items():
    plt.plot(shares, values, label=name)
plt.xlabel("share of one class")
plt.legend()
plt.show()
