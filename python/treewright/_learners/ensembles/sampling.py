"""How the core samples rows and columns for each tree of a forest or of bagging.

Not here: how trees grow, and how their predictions are combined.
"""

from __future__ import annotations

import math
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._utils.random_state import seed_from
from treewright._utils.renamed import renamed_parameters
from treewright._utils.validation import check_integer, check_number, is_number, is_whole
from treewright.errors import UsageError
from treewright.schema import Schema

__all__ = [
    "Bag",
    "bootstrap",
    "count_columns",
    "count_draws",
    "draw_by_weight",
    "draw_rows",
    "make_bag",
]
__all__ += ["usable_columns"]


class Bag(TypedDict):
    """How rows and columns are sampled, as the core reads it."""

    sampling: str
    draws: int | None
    seed: int
    columns: int | None
    cuts: bool
    balanced: bool
    given: NDArray[np.uint32] | None


def make_bag(
    sampling: str,
    seed: int,
    draws: int | None = None,
    *,
    columns: int | None = None,
    random_thresholds: bool = False,
    balanced: bool = False,
) -> Bag:
    """Return how to sample: by rows drawn, columns of each node and class weights of each sample."""
    return {
        "sampling": sampling,
        "draws": draws,
        "seed": seed,
        "columns": columns,
        "cuts": random_thresholds,
        "balanced": balanced,
        "given": None,
    }


def draw_rows(bag: Bag, n_rows: int) -> _core.Samples:
    """Return the samples of rows that differ by their position only."""
    rows = np.arange(n_rows, dtype=np.float64)
    return _core.Samples(bag, [None], [rows], rows, None, None)


@renamed_parameters(seed="random_state")
def bootstrap(n: int, random_state: Any = 0) -> NDArray[np.int64]:
    """Return a bootstrap sample: n row numbers sampled with replacement.

    Parameters
    ----------
    n : int
        Number of rows.
    random_state : int, RandomState, Generator or None, default=0
        Random seed; None means 0.

    Returns
    -------
    ndarray of int
        The sampled rows in ascending order. On average 37% of the rows are not among them; others occur several times.

    Examples
    --------
    >>> from treewright import bootstrap
    >>> rows = bootstrap(1000, random_state=7)
    >>> len(rows), len(set(rows.tolist()))
    (1000, 637)
    """
    n = check_integer("n", n, minimum=1)
    bag = make_bag("bootstrap", seed_from(random_state))
    return np.repeat(np.arange(n), draw_rows(bag, n).times(0))


def draw_by_weight(
    bag: Bag, weights: NDArray[np.float64], order: NDArray[np.int64], n_trees: int
) -> Bag:
    """Return a bag whose samples are drawn with replacement in proportion to weights.

    ``order`` is an order of the rows that does not depend on their position, if the samples should not either.
    """
    draws = bag["draws"] or len(weights)
    ends = np.cumsum(weights[order])
    times = np.zeros((n_trees, len(weights)), dtype=np.uint32)
    for tree in range(n_trees):
        generator = np.random.Generator(np.random.Philox(key=[bag["seed"] % 2**64, tree]))
        places = np.searchsorted(ends, generator.random(draws) * ends[-1], side="right")
        drawn = order[places.clip(max=len(weights) - 1)]
        times[tree] = np.bincount(drawn, minlength=len(weights))
    return {**bag, "given": times}


def count_columns(max_features: Any, n_columns: int) -> int:
    """Return how many columns are considered.

    Examples
    --------
    >>> [count_columns(value, 28) for value in ("sqrt", 0.5, 3, None)]
    [5, 14, 3, 28]
    """
    if max_features is None:
        return n_columns
    if max_features == "sqrt":
        return max(1, math.isqrt(n_columns))
    if max_features == "log2":
        return max(1, int(math.log2(max(n_columns, 1))))
    if is_whole(max_features):
        return min(int(check_integer("max_features", max_features, minimum=1)), n_columns)
    if is_number(max_features) and 0 < max_features <= 1:
        return max(1, int(float(max_features) * n_columns))
    raise UsageError(
        'max_features must be "sqrt", "log2", None, a whole number of at least 1, or a fraction above 0 and at most 1; '
        f"got {max_features!r}",
        slug="usage.parameter",
    )


def usable_columns(model: Any, schema: Schema) -> list[int] | None:
    """Return the columns that are not ignored, which nodes would sample in vain; None for all."""
    usable = [i for i, c in enumerate(schema.columns) if not (c.other and len(c.levels) == 1)]
    restricted = model.warm_start or isinstance(model.monotonic_cst, (list, tuple, np.ndarray))
    return None if len(usable) in (0, len(schema.columns)) or restricted else usable


def count_draws(max_samples: Any, weights: NDArray[np.float64] | None, n_rows: int) -> int | None:
    """Return how many rows a sample has; None for as many as there are.

    Weights that are multiples of one number, such as counts, are frequencies: a row of weight 2 counts as two rows.

    Examples
    --------
    >>> count_draws(0.5, None, 100), count_draws(30, None, 100), count_draws(0.5, np.array([1.0, 3.0]), 2)
    (50, 30, 2)
    """
    if max_samples is None:
        return None
    if is_whole(max_samples):
        return int(check_integer("max_samples", max_samples, minimum=1))
    fraction = float(check_number("max_samples", max_samples, minimum=0, maximum=1))
    copies = None if weights is None else _core.copies_of(weights)
    return max(1, round(fraction * (n_rows if copies is None else int(copies.sum()))))
