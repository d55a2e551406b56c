"""How uncertain is an answer, and how much does a question help? The arithmetic of decision trees.

Plain functions on lists, arrays and columns of data frames. Nothing here grows a tree, and the
learners do not call it: it is for understanding, for checking and for choosing columns by hand.

Entropy and the Gini index are one idea. A value of probability p is a surprise: -log p in the one,
and 1 - p, the chance of being wrong about it, in the other. The measure is the surprise to expect
on average, and the gain of a question is how much less of it is left once the answer is known.

Glossary: *counts* are counts or probabilities, which are divided by their sum; *x* is the column
that is asked about and *y* the target, one value a row and none missing; *sample_weight* says how
many rows a row stands for; *unit* is that of the logarithm: bits (base 2), nats (e) or hartleys
(10). 0 log 0 = 0, and no result depends on the order of the rows.
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
