"""Information gain and gain ratio: the measures by which ID3 and C4.5 choose a split."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from treewright.measures._counts import Column, Weights, amounts, not_negative, pairs, same_length
from treewright.measures._expected_surprise import Unit, expected, gain, logarithm
from treewright.measures._parameters import describe_parameters
from treewright.measures.information import entropy, entropy_of

__all__ = [
    "gain_ratio",
    "information_gain",
    "mean_information",
    "mutual_information",
    "split_information",
]


def mean_information(children: Iterable[Iterable[float]], *, unit: Unit = "bits") -> float:
    """Return the entropy after a split: that of the children, weighted by their size.

    Parameters
    ----------
    children : sequence of array-likes
        The class counts of each branch, in the same order of classes; a branch may be empty.
    unit : {"bits", "nats", "hartleys"}, default="bits"
        The unit of the result.

    Examples
    --------
    Outlook in play-tennis: 2 yes and 3 no when sunny, 4 and 0 when overcast, 3 and 2 in the rain.

    >>> round(mean_information([[2, 3], [4, 0], [3, 2]]), 3)
    0.694

    Temperature, humidity and wind:

    >>> round(mean_information([[2, 2], [4, 2], [3, 1]]), 3)
    0.911
    >>> round(mean_information([[3, 4], [6, 1]]), 3), round(mean_information([[6, 2], [3, 3]]), 3)
    (0.788, 0.892)
    """
    by_name = {f"children[{i}]": child for i, child in enumerate(children)}
    branches = {name: not_negative(child, name) for name, child in by_name.items()}
    same_length(branches)
    parts = amounts(np.concatenate([np.empty(0), *branches.values()]), "children")
    sizes = [math.fsum(branch) for branch in parts.reshape(len(branches), -1).tolist()]
    wholes = np.repeat(sizes, len(parts) // len(sizes))
    return expected(logarithm(unit), parts.tolist(), wholes.tolist())


@describe_parameters()
def information_gain(
    x: Column, y: Column, *, sample_weight: Weights = None, unit: Unit = "bits"
) -> float:
    """Return the decrease of the entropy of y once x is known: H(y) - H(y | x).

    Examples
    --------
    ID3 splits on Outlook first:

    >>> from treewright import datasets
    >>> X, y = datasets.play_tennis()
    >>> {name: round(information_gain(X[name], y), 3) for name in X}
    {'Outlook': 0.247, 'Temperature': 0.029, 'Humidity': 0.152, 'Wind': 0.048}

    and on Humidity next, on sunny days:

    >>> sunny = [row for row, outlook in enumerate(X["Outlook"]) if outlook == "Sunny"]
    >>> branch = X[sunny].drop(["Outlook"])
    >>> {name: round(information_gain(branch[name], y[sunny]), 3) for name in branch}
    {'Temperature': 0.571, 'Humidity': 0.971, 'Wind': 0.02}

    The number of the day has the largest possible gain, because no two rows share it. For the same reason it is
    useless: each branch holds one training row, and a new day follows none of them.

    >>> days = datasets.load("play-tennis").table["Day"]
    >>> round(information_gain(days, y), 3), len(set(days))
    (0.94, 14)
    """
    return gain(logarithm(unit), pairs(x, y, sample_weight))


@describe_parameters(x="A column.", y="Another column.")
def mutual_information(
    x: Column, y: Column, *, sample_weight: Weights = None, unit: Unit = "bits"
) -> float:
    """Return the mutual information of two columns, which equals the information gain.

    It is symmetric: H(x) + H(y) - H(x, y).

    Examples
    --------
    >>> from treewright.datasets import play_tennis
    >>> X, y = play_tennis()
    >>> round(mutual_information(X["Outlook"], y), 3), round(mutual_information(y, X["Outlook"]), 3)
    (0.247, 0.247)
    """
    return information_gain(x, y, sample_weight=sample_weight, unit=unit)


@describe_parameters(x="The column of the split: one value per row, not counts.")
def split_information(x: Column, *, sample_weight: Weights = None, unit: Unit = "bits") -> float:
    """Return the entropy of the branches of a split: large if it has many.

    It takes a column with one value per row, as :func:`information_gain` and :func:`gain_ratio` do. For the numbers of
    rows in the branches, use :func:`entropy`.

    Examples
    --------
    >>> from treewright.datasets import play_tennis
    >>> X, y = play_tennis()
    >>> {name: round(split_information(X[name]), 3) for name in X}
    {'Outlook': 1.577, 'Temperature': 1.557, 'Humidity': 1.0, 'Wind': 0.985}

    Outlook has 5 sunny, 4 overcast and 5 rainy days. As a column, ``[5, 4, 5]`` would be three days of two kinds:

    >>> from treewright.measures import entropy
    >>> round(entropy([5, 4, 5]), 3), round(split_information([5, 4, 5]), 3)
    (1.577, 0.918)
    """
    return entropy_of(x, sample_weight=sample_weight, unit=unit)


@describe_parameters()
def gain_ratio(x: Column, y: Column, *, sample_weight: Weights = None) -> float:
    """Return the information gain divided by the split information, the same in every unit.

    The ratio of a column with a single value is 0.

    Examples
    --------
    >>> from treewright import datasets
    >>> X, y = datasets.play_tennis()
    >>> {name: round(gain_ratio(X[name], y), 3) for name in X}
    {'Outlook': 0.156, 'Temperature': 0.019, 'Humidity': 0.152, 'Wind': 0.049}

    The ratio penalizes the 14 values of the day's number, but not enough: it would still be chosen.

    >>> round(gain_ratio(datasets.load("play-tennis").table["Day"], y), 3)
    0.247
    """
    both = pairs(x, y, sample_weight)
    split = entropy(both.x)
    return gain(logarithm("bits"), both) / split if split > 0 else 0.0
