"""From what a model says of a row to its answer: the most frequent class, or the one that costs least to be wrong with.

The one place where shares become an answer; views, estimators and exports ask here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.schema import Schema

__all__ = ["burdens", "decide"]

# Expected costs are sums of rounded products: those that differ by less than this share are equal.
EQUAL = 1e-12


def burdens(shares: NDArray[np.float64], schema: Schema) -> NDArray[np.float64]:
    """Return what each answer is expected to cost, in the order of the classes, one row a row.

    Examples
    --------
    >>> schema = Schema((), None, ("no", "yes"), ((0.0, 1.0), (5.0, 0.0)))
    >>> burdens(np.array([[0.8, 0.2]]), schema).tolist()
    [[1.0, 0.8]]
    """
    if not schema.costs:
        return 1.0 - shares
    return np.asarray(shares @ np.array(schema.costs))


def decide(shares: NDArray[np.float64], schema: Schema) -> NDArray[np.int64]:
    """Return the answer for each row of shares as a position among the classes; ties go to the first.

    Examples
    --------
    >>> schema = Schema((), None, ("no", "yes"))
    >>> decide(np.array([[0.8, 0.2], [0.5, 0.5]]), schema).tolist()
    [0, 0]
    """
    if not schema.costs:
        return np.asarray(np.argmax(shares, axis=1))
    expected = burdens(shares, schema)
    least = expected.min(axis=1, keepdims=True)
    return np.asarray(np.argmax(expected <= least * (1 + EQUAL), axis=1))
