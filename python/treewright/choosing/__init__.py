"""Choosing: how large a tree should be, and which learner to take.

``growing`` grows a tree and measures its prunings, ``curve`` holds what came of it, ``length`` is the message in bits.
``trial`` tries several learners on the same folds, ``comparison`` holds what came of it, ``taking`` takes rows out of
any container.
"""

from treewright.choosing.comparison import Comparison, Entry
from treewright.choosing.curve import ComplexityCurve
from treewright.choosing.growing import complexity_curve
from treewright.choosing.trial import compare

__all__ = ["Comparison", "ComplexityCurve", "Entry", "compare", "complexity_curve"]
