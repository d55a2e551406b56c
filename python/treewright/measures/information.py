"""Self-information, entropy and code length."""

from __future__ import annotations

import math
from collections.abc import Iterable

from treewright.errors import DataError
from treewright.measures._counts import (
    Column,
    Weights,
    amounts,
    count_of,
    not_negative,
    numbers,
    pairs,
    same_length,
)
from treewright.measures._expected_surprise import Unit, expected, logarithm
from treewright.measures._parameters import describe_parameters

__all__ = [
    "conditional_entropy",
    "entropy",
    "entropy_of",
    "expected_code_length",
    "joint_entropy",
    "self_information",
]


def self_information(probability: float, *, unit: Unit = "bits") -> float:
    """Return the information of an event: -log of its probability, infinite for an impossible one.

    Parameters
    ----------
    probability : float
        From 0 to 1.
    unit : {"bits", "nats", "hartleys"}, default="bits"
        The unit of the result.

    Examples
    --------
    One of 8 equally probable events has three bits; a certain event has none.

    >>> self_information(1 / 8), self_information(1)
    (3.0, 0.0)
    """
    surprise = logarithm(unit)
    (chance,) = numbers([probability], "probability").tolist()
    if not 0 <= chance <= 1:
        raise DataError(
            f"probability is {chance:g}; it must be from 0 to 1", slug="data.probability"
        )
    return surprise(chance) if chance > 0 else math.inf


@describe_parameters()
def entropy(counts: Iterable[float], *, unit: Unit = "bits") -> float:
    """Return the average self-information of a value.

    It takes counts. For a column with one value per row, see :func:`entropy_of`.

    Examples
    --------
    A coin that shows heads 50 times out of 55 is easy to predict, one with 30 out of 55 is not:

    >>> round(entropy([50, 5]), 2), round(entropy([30, 25]), 2)
    (0.44, 0.99)

    Eight equally probable events, in each unit:

    >>> entropy([1] * 8), round(entropy([1] * 8, unit="nats"), 3)
    (3.0, 2.079)
    >>> round(entropy([1] * 8, unit="hartleys"), 3)
    0.903

    It rains with probability 0.6, and with 0.9 if there are clouds:

    >>> round(entropy([0.6, 0.4]), 2), round(entropy([0.9, 0.1]), 2)
    (0.97, 0.47)

    Nine yes and five no, the 14 rows of play-tennis:

    >>> round(entropy([9, 5]), 3)
    0.94
    """
    parts = amounts(counts, "counts").tolist()
    return expected(logarithm(unit), parts, [math.fsum(parts)] * len(parts))


@describe_parameters()
def entropy_of(labels: Column, *, sample_weight: Weights = None, unit: Unit = "bits") -> float:
    """Return the entropy of a column of labels.

    Examples
    --------
    >>> from treewright.datasets import play_tennis
    >>> X, y = play_tennis()
    >>> round(entropy_of(y), 3)
    0.94
    """
    return entropy(count_of(labels, sample_weight, "labels"), unit=unit)


@describe_parameters(x="A column.", y="Another column.")
def joint_entropy(
    x: Column, y: Column, *, sample_weight: Weights = None, unit: Unit = "bits"
) -> float:
    """Return the entropy of the pairs of two columns.

    Examples
    --------
    >>> joint_entropy(["heads", "heads", "tails", "tails"], [0, 1, 0, 1])
    2.0
    """
    return entropy(pairs(x, y, sample_weight).cells, unit=unit)


@describe_parameters(y="The column.")
def conditional_entropy(
    y: Column, *, given: Column, sample_weight: Weights = None, unit: Unit = "bits"
) -> float:
    """Return the entropy of a column once another one is known.

    Examples
    --------
    >>> from treewright.datasets import play_tennis
    >>> X, y = play_tennis()
    >>> {name: round(conditional_entropy(y, given=X[name]), 3) for name in X}
    {'Outlook': 0.694, 'Temperature': 0.911, 'Humidity': 0.788, 'Wind': 0.892}
    """
    both = pairs(given, y, sample_weight, name="given")
    return expected(logarithm(unit), both.cells, both.x_of_cells)


def expected_code_length(probabilities: Iterable[float], lengths: Iterable[float]) -> float:
    """Return the average length of a message in a code.

    No decodable code is shorter on average than the entropy.

    Parameters
    ----------
    probabilities : array-like
        Counts or probabilities of the messages.
    lengths : array-like
        The length of each message's code word.

    Examples
    --------
    A coin with heads in 8 of 10 tosses has 0.72 bits per toss, so four tosses have 2.89.

    >>> round(entropy([0.8, 0.2]), 2), round(4 * entropy([0.8, 0.2]), 2)
    (0.72, 2.89)

    Writing HHHH as one bit, and anything else as a bit and the four tosses, takes 3.36: less than
    four bits, more than the entropy.

    >>> heads = 0.8**4
    >>> round(expected_code_length([heads, 1 - heads], [1, 5]), 2)
    3.36
    """
    parts, bits = amounts(probabilities, "probabilities"), not_negative(lengths, "lengths")
    same_length({"probabilities": parts, "lengths": bits})
    total = math.fsum(parts)
    return math.fsum((parts / total * bits).tolist())
