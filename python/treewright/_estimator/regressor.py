"""Models that predict a number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin

from treewright._estimator.model import Model
from treewright._estimator.several_outputs import of_outputs
from treewright._input.target import NumberTarget

__all__ = ["Regressor"]


class Regressor(RegressorMixin, Model):
    """A model that predicts a number."""

    def _check_target(self, y: Any) -> NumberTarget:
        return y if isinstance(y, NumberTarget) else NumberTarget.of(y)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the predicted number of each row.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of float
            A number for each row; of several outputs a column each.
        """
        several = of_outputs(self, lambda one: one.predict(X))
        return self._predict_values(X)[:, 0] if several is None else np.column_stack(several)

    def predict_one(self, row: Any) -> float:
        """Return the predicted number of one row, as quickly as possible.

        Parameters
        ----------
        row : ndarray, sequence or mapping
            One value for each column: in their order, or by name. An array of floats is fastest.

        Returns
        -------
        float
            The number.
        """
        return self._predict_row(row)[0]
