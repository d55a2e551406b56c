"""Models that predict a class: the numbers of `Model` are shares of the classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from treewright._estimator.model import Model
from treewright._estimator.several_outputs import of_outputs
from treewright._input.target import ClassTarget
from treewright._model.decision import decide
from treewright.schema import Level

__all__ = ["Classifier"]


class Classifier(ClassifierMixin, Model):
    """A model that predicts a class.

    Values are the shares of the classes in the order of ``schema_.classes``; ``classes_`` is the same list sorted, as
    scikit-learn expects it, and ``_order`` maps the first order to the second.

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    """

    classes_: NDArray[Any]
    _order: NDArray[np.int64]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = tags.target_tags.multi_output
        return tags

    def _check_target(self, y: Any) -> ClassTarget:
        return y if isinstance(y, ClassTarget) else ClassTarget.of(y)

    def _store_classes(self, target: ClassTarget) -> None:
        self.classes_ = target.sorted
        self._order = target.order

    def predict_one(self, row: Any) -> Level:
        """Return the class of one row, as quickly as possible.

        Parameters
        ----------
        row : ndarray, sequence or mapping
            One value for each column: in their order, or by name. An array of floats is fastest.

        Returns
        -------
        class
            One of ``schema_.classes``, as a plain value.
        """
        shares = self._predict_row(row)
        if not self.schema_.costs:
            return self.schema_.classes[shares.index(max(shares))]
        return self.schema_.classes[int(decide(np.array([shares]), self.schema_)[0])]

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row, or with costs the class of least expected cost; ties go to the first class.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray
            A class for each row; of several outputs a column each.
        """
        several = of_outputs(self, lambda one: one.predict(X))
        return (
            self._labels(self._predict_values(X)) if several is None else np.column_stack(several)
        )

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class at the node where each row ends.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, classes)
            Probabilities in the order of ``classes_``; of several outputs a list of such arrays.
        """
        several: Any = of_outputs(self, lambda one: one.predict_proba(X))
        return self._sort_classes(self._predict_values(X)) if several is None else several

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the natural logarithm of each probability of :meth:`predict_proba`; -inf for a probability of 0.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, classes)
            Logarithms in the order of ``classes_``; of several outputs a list of such arrays.
        """
        several: Any = of_outputs(self, lambda one: one.predict_log_proba(X))
        if several is not None:
            return several  # type: ignore[no-any-return]
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def _labels(self, shares: NDArray[np.float64]) -> NDArray[Any]:
        labels: NDArray[Any] = self.classes_[self._order[decide(shares, self.schema_)]]
        return labels

    def _sort_classes(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return columns in the order of ``schema_.classes`` in the order of ``classes_``."""
        if np.array_equal(self._order, np.arange(len(self._order))):
            return shares
        sorted_shares = np.empty_like(shares)
        sorted_shares[:, self._order] = shares
        return sorted_shares

    def _extra_metadata(self) -> dict[str, Any]:
        # The dtype by a word that means the same on every machine.
        dtype = "str" if self.classes_.dtype.kind == "U" else self.classes_.dtype.name
        return super()._extra_metadata() | {"classes_dtype": dtype}

    def _restore(self, metadata: Mapping[str, Any], contents: Any) -> None:
        super()._restore(metadata, contents)
        classes = np.array(self.schema_.classes, dtype=metadata["classes_dtype"])
        self.classes_ = np.sort(classes)
        self._order = np.argsort(np.argsort(classes, kind="stable"), kind="stable")
