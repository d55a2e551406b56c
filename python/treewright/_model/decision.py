"""From class probabilities to the predicted class: the most probable one, or the one with the least expected cost.

Views, estimators and exports all decide here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.schema import Schema

__all__ = ["decide", "expected_costs"]

# Expected costs are sums of rounded products: a smaller relative difference counts as equal.
EQUAL = 1e-12


def expected_costs(shares: NDArray[np.float64], schema: Schema) -> NDArray[np.float64]:
    """Return the expected misclassification cost of each class, one row per row of shares.

    Examples
    --------
    >>> schema = Schema((), None, ("no", "yes"), ((0.0, 1.0), (5.0, 0.0)))
    >>> expected_costs(np.array([[0.8, 0.2]]), schema).tolist()
    [[1.0, 0.8]]
    """
    if not schema.costs:
        return 1.0 - shares
    return np.asarray(shares @ np.array(schema.costs))


def decide(shares: NDArray[np.float64], schema: Schema) -> NDArray[np.int64]:
    """Return the predicted class of each row of shares as a position among the classes; ties go to the first.

    Examples
    --------
    >>> schema = Schema((), None, ("no", "yes"))
    >>> decide(np.array([[0.8, 0.2], [0.5, 0.5]]), schema).tolist()
    [0, 0]
    """
    if not schema.costs:
        return np.asarray(np.argmax(shares, axis=1))
    expected = expected_costs(shares, schema)
    least = expected.min(axis=1, keepdims=True)
    return np.asarray(np.argmax(expected <= least * (1 + EQUAL), axis=1))
