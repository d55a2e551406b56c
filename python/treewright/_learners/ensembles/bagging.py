"""Bagging (Breiman 1996): any learner, fitted to many samples of the rows; the mean of their answers.

Not here: forests, whose nodes draw columns too; how samples are drawn and learners fitted, which ``_bagging`` knows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from treewright._catalog import public
from treewright._estimator.ensemble import EnsembleClassifier, EnsembleRegressor
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.ensembles.bagging_base import Bagging
from treewright._learners.ensembles.forest_base import in_order
from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
from treewright._utils.docstrings import documented

__all__ = ["BaggingClassifier", "BaggingRegressor"]


@public
@documented
@dataclass(eq=False, repr=False)
class BaggingClassifier(Bagging, EnsembleClassifier):
    """A learner of classes, fitted to many samples of the rows; the mean of their shares answers.

    Parameters
    ----------
    estimator : learner or None, default=None
        The learner: a tree of ours, or any other. None is ``CARTClassifier()``.

    Attributes
    ----------
    oob_score_ : float
        The accuracy out of bag; only with ``oob_score``.
    oob_curve_ : ndarray
        The share of errors out of bag after each tree of ours; only with ``oob_score``.
    oob_decision_function_ : ndarray
        The shares out of bag; NaN where every learner has seen the row. Files do not hold it.
    classes_ : ndarray
        The classes, sorted.

    Examples
    --------
    >>> from treewright import BaggingClassifier, C45Classifier, datasets
    >>> X, y = datasets.play_tennis()
    >>> model = BaggingClassifier(C45Classifier(), n_estimators=15).fit(X, y)
    >>> len(model.trees_)
    15
    """

    def _standard(self) -> Any:
        return CARTClassifier(n_jobs=self.n_jobs)

    def _fit_others(self, X: Any, y: Any, sample_weight: Any) -> None:
        X = validate_data(self, X, skip_check_array=True)
        target = ClassTarget.of(y)
        self.classes_ = target.sorted
        self.estimators_ = self._fit_members(X, np.asarray(y), sample_weight)
        self._answer_out_of_bag(self.estimators_, X, target, len(self.classes_))

    def _says(self, one: Any, X: Any) -> NDArray[np.float64]:
        shares = np.zeros((X.shape[0], len(self.classes_)))
        if hasattr(one, "predict_proba"):
            shares[:, np.searchsorted(self.classes_, one.classes_)] = one.predict_proba(X)
        else:
            shares[np.arange(len(shares)), np.searchsorted(self.classes_, one.predict(X))] = 1
        return shares

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the mean of the shares that the learners say.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, classes)
            Shares in the order of ``classes_``.
        """
        members = self._others()
        return super().predict_proba(X) if members is None else self._mean(members, X)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class with the largest mean share for each row; ties go to the first class.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray
            A class for each row.
        """
        members = self._others()
        if members is None:
            return super().predict(X)
        return np.asarray(self.classes_[self._mean(members, X).argmax(axis=1)])

    def _keep_out_of_bag(
        self, says: NDArray[np.float64], target: ClassTarget, answered: NDArray[np.bool_]
    ) -> None:
        super()._keep_out_of_bag(says, target, answered)
        if self._base_is_ours():
            sorted_says = np.empty_like(says)
            sorted_says[:, target.order] = says
            says = sorted_says
        self.oob_decision_function_ = says
        truth = target.order[target.codes]
        right = says[answered].argmax(axis=1) == truth[answered]
        self.oob_score_ = float(right.mean()) if answered.any() else float("nan")


@public
@documented
@dataclass(eq=False, repr=False)
class BaggingRegressor(Bagging, EnsembleRegressor):
    """A learner of numbers, fitted to many samples of the rows; the mean of their answers.

    Parameters
    ----------
    estimator : learner or None, default=None
        The learner: a tree of ours, or any other. None is ``CARTRegressor()``.

    Attributes
    ----------
    oob_score_ : float
        R² out of bag; only with ``oob_score``.
    oob_curve_ : ndarray
        The mean squared error out of bag after each tree of ours; only with ``oob_score``.
    oob_prediction_ : ndarray
        The answers out of bag; NaN where every learner has seen the row. Files do not hold it.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import BaggingRegressor
    >>> X = np.linspace(0, 1, 50).reshape(-1, 1)
    >>> model = BaggingRegressor(n_estimators=20).fit(X, X[:, 0] ** 2)
    >>> bool(abs(model.predict([[0.5]])[0] - 0.25) < 0.05)
    True
    """

    def _standard(self) -> Any:
        return CARTRegressor(n_jobs=self.n_jobs)

    def _fit_others(self, X: Any, y: Any, sample_weight: Any) -> None:
        X = validate_data(self, X, skip_check_array=True)
        target = NumberTarget.of(y)
        self.estimators_ = self._fit_members(X, target.values, sample_weight)
        self._answer_out_of_bag(self.estimators_, X, target, 1)

    def _says(self, one: Any, X: Any) -> NDArray[np.float64]:
        return np.asarray(one.predict(X), dtype=np.float64).reshape(-1, 1)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the mean of the learners' numbers for each row.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of float
            A number for each row.
        """
        members = self._others()
        return super().predict(X) if members is None else self._mean(members, X)[:, 0]

    def _keep_out_of_bag(
        self, says: NDArray[np.float64], target: NumberTarget, answered: NDArray[np.bool_]
    ) -> None:
        super()._keep_out_of_bag(says, target, answered)
        self.oob_prediction_ = says[:, 0]
        truth, answers = in_order(target.values[answered], says[answered, 0])
        spread = float(((truth - truth.mean()) ** 2).sum()) if answered.any() else 0.0
        left = float(((truth - answers) ** 2).sum())
        self.oob_score_ = 1 - left / spread if spread > 0 else float("nan")
