"""Choosing: how large a tree should be, and which learner to take.

``curve`` is the error of small and large trees, ``length`` their message in bits; ``comparison`` tries several learners
on the same folds, ``taking`` takes rows out of any container.
"""

from treewright.choosing.comparison import Comparison, Entry, compare
from treewright.choosing.curve import ComplexityCurve, complexity_curve

__all__ = ["Comparison", "ComplexityCurve", "Entry", "compare", "complexity_curve"]
