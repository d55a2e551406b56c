"""The short way to an answer: arrays that the core can read as they are, without a table in between.

Whatever is not a plain array of floats with the model's columns takes the long way, which knows every container and
says what is wrong with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._utils.validation import threads_of

__all__ = ["quick_row", "quick_rows"]


def quick_rows(model: Any, X: Any) -> NDArray[np.float64] | None:
    """Return what a model's forest says of each row; None where X must take the long way."""
    state = model.__dict__
    # A model that knows names wants to warn about arrays that have none.
    if type(X) is not np.ndarray or X.ndim != 2 or "feature_names_in_" in state:
        return None
    forest = state.get("_forest")
    if type(forest) is not _core.Forest:
        return None
    return _core.predict_matrix(forest, X, threads_of(state.get("n_jobs")))


def quick_row(model: Any, row: Any) -> list[float] | None:
    """Return what a model's forest says of one row; None where the row must take the long way."""
    forest = model.__dict__.get("_forest")
    if type(row) is not np.ndarray or type(forest) is not _core.Forest:
        return None
    return _core.predict_row(forest, row)
