"""Choosing: how large a tree should be, and which learner to take.

``growing`` grows a tree and measures its prunings, ``curve`` holds what came of it, ``length`` is the message in bits.
``trial`` tries several learners on the same folds, ``comparison`` holds what came of it, ``taking`` takes rows out of
any container.
"""

from treewright._evaluate.comparison import Comparison, Entry
from treewright._evaluate.curve import ComplexityCurve
from treewright._evaluate.curve_points import complexity_curve
from treewright._evaluate.model_comparison import compare

__all__ = ["Comparison", "ComplexityCurve", "Entry", "compare", "complexity_curve"]
