"""
How mixed is a set of two classes?
==================================

Entropy, Gini index and error of the majority class, for every fraction of one class.
"""

import numpy as np

from treewright.measures import entropy, gini

fractions = np.linspace(0, 1, 101)
curves = {
    "entropy / 2": [entropy([p, 1 - p]) / 2 for p in fractions],
    "Gini index": [gini([p, 1 - p]) for p in fractions],
    "error": [min(p, 1 - p) for p in fractions],
}

# %%
# All three are 0 for a pure set and largest for an even mixture. The error has straight sides: a split that makes one
# branch much purer may not change it at all. Entropy and Gini index are curved, so they reward every such split.
import matplotlib.pyplot as plt

for name, values in curves.items():
    plt.plot(fractions, values, label=name)
plt.xlabel("fraction of one class")
plt.legend()
plt.show()
