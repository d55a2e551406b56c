"""Impurity and information: entropy, Gini index, information gain and related measures.

Plain functions on lists, arrays and columns of data frames. The estimators do not call them: they are for
understanding, checking and choosing columns by hand.

Entropy and the Gini index follow one idea. A value of probability p has a surprise: -log p for entropy, and 1 - p, the
probability of a wrong guess, for the Gini index. The measure is the expected surprise, and the gain of a split is the
decrease of the expected surprise once the branch is known.

Glossary: *counts* are counts or probabilities, which are divided by their sum; *x* is the column of the split and *y*
the target, one value per row and none missing; *sample_weight* is the weight of each row; *unit* is that of the
logarithm: bits (base 2), nats (e) or hartleys (10). 0 log 0 = 0, and no result depends on the order of the rows.

To add a measure: write a function in one of these modules and add it here.
"""

from treewright.measures.gain import (
    gain_ratio,
    information_gain,
    mean_information,
    mutual_information,
    split_information,
)
from treewright.measures.impurity import gini, gini_gain, gini_of, variance, variance_reduction
from treewright.measures.information import (
    conditional_entropy,
    entropy,
    entropy_of,
    expected_code_length,
    joint_entropy,
    self_information,
)
from treewright.measures.intervals import wilson

__all__ = [
    "conditional_entropy",
    "entropy",
    "entropy_of",
    "expected_code_length",
    "gain_ratio",
    "gini",
    "gini_gain",
    "gini_of",
    "information_gain",
    "joint_entropy",
    "mean_information",
    "mutual_information",
    "self_information",
    "split_information",
    "variance",
    "variance_reduction",
    "wilson",
]
