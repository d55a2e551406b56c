"""The fast path of ``predict``: arrays that the core can read as they are, without a table in between.

Anything but a plain array of floats with the model's columns takes the slow path, which reads every container and
raises the errors.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._utils.validation import threads_of

__all__ = ["predict_array", "predict_array_row"]


def predict_array(model: Any, X: Any) -> NDArray[np.float64] | None:
    """Return the outputs of a model's forest for each row; None if X must take the slow path."""
    state = model.__dict__
    # Arrays have no feature names: let the slow path emit scikit-learn's warning.
    if type(X) is not np.ndarray or X.ndim != 2 or "feature_names_in_" in state:
        return None
    forest = state.get("_forest")
    if type(forest) is not _core.Forest:
        return None
    return _core.predict_matrix(forest, X, threads_of(state.get("n_jobs")))


def predict_array_row(model: Any, row: Any) -> list[float] | None:
    """Return the outputs of a model's forest for one row; None if it must take the slow path."""
    forest = model.__dict__.get("_forest")
    if type(row) is not np.ndarray or type(forest) is not _core.Forest:
        return None
    return _core.predict_row(forest, row)
