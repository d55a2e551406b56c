"""The parameter ``random_state``: a seed, None or a generator of numpy, as in scikit-learn."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright._utils.validation import check_integer

__all__ = ["GENERATORS", "check_seed", "seed_from"]

GENERATORS = (np.random.RandomState, np.random.Generator)
LARGEST_SEED = 2**63 - 1


def seed_from(random_state: Any, *, default: int = 0, maximum: int = LARGEST_SEED) -> int:
    """Return the seed for a ``random_state``: ``default`` for None. A generator gives another seed each time.

    Examples
    --------
    >>> seed_from(None), seed_from(7), seed_from(np.random.RandomState(1), maximum=9)
    (0, 7, 5)
    """
    if random_state is None:
        return default
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(0, 2**32, dtype=np.uint64)) % (maximum + 1)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63)) % (maximum + 1)
    return int(check_integer("random_state", random_state, minimum=0, maximum=maximum))


def check_seed(random_state: Any) -> int:
    """Return the seed for a ``random_state``, of at most 32 bits.

    Examples
    --------
    >>> check_seed(None), check_seed(3)
    (0, 3)
    """
    return seed_from(random_state, maximum=2**32 - 1)
