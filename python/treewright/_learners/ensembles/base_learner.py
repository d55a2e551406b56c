"""Ensembles of a base estimator: bagging and AdaBoost.

Trees of treewright are grown on the ensemble's own table, schema and weights, and become one forest; the base estimator
itself is never fitted. Any other estimator is cloned and fitted; such an ensemble can be pickled, but no model file can
store it.

Not here: what bagging (``bagging``) and AdaBoost (``adaboost_rounds``) do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from treewright import _core
from treewright._catalog import LEARNERS
from treewright._estimator.model import Model
from treewright._estimator.training_data import TrainingData
from treewright._estimator.tree_model import TreeModel
from treewright._estimator.unfitted import describe_estimator, restore_estimator
from treewright._input.unseen_values import unseen_reported_once, unseen_unreported
from treewright._learners.ensembles.fitted_trees import SampledRows, fit_trees
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = [
    "BaseLearnerEnsemble",
    "EnsembleMethod",
    "clone_with_seed",
    "is_native_tree",
    "require_sample_weight",
]

# State of a fit that another fit replaces, unless it continues it.
FITTED = ("estimators_", "_forest", "schema_", "estimator_weights_", "estimator_errors_", "rounds_")


def is_native_tree(estimator: Any) -> bool:
    """Return whether an estimator grows one tree of treewright.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> is_native_tree(DecisionTreeClassifier())
    False
    """
    learner = LEARNERS.get(type(estimator).__name__)
    return isinstance(estimator, Model) and learner is not None and learner.kind == "tree"


def clone_with_seed(estimator: Any, seed: int) -> Any:
    """Return a clone that has its own random seed, if it takes one."""
    cloned = clone(estimator)
    if "random_state" in cloned.get_params(deep=False):
        cloned.set_params(random_state=seed % 2**32)
    return cloned


def require_sample_weight(estimator: Any) -> None:
    """Raise an error if the ``fit`` of an estimator takes no weights."""
    if not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(f"{type(estimator).__name__} doesn't support sample_weight.")


class EnsembleMethod(Protocol):
    """What an ensemble does with its base estimator."""

    def default_base(self, model: Any) -> Any:
        """Return the base estimator for ``estimator=None``."""

    def fit_trees(self, model: Any, data: TrainingData) -> _core.Forest:
        """Return the forest of a base estimator that grows trees of treewright."""

    def fit_estimators(self, model: Any, X: Any, y: Any, sample_weight: Any) -> None:
        """Fit clones of any other base estimator; set ``estimators_``, and ``classes_`` of a classifier."""

    def predict_values(self, model: Any, X: Any) -> NDArray[np.float64]:
        """Return what those predict: probabilities in the order of ``classes_``, or a column of numbers."""

    def predict_sums(self, model: Any, X: Any) -> NDArray[np.float64]:
        """Return their weighted votes, in the order of ``classes_``."""

    def stages(self, model: Any, X: Any, raw: bool) -> Iterator[NDArray[np.float64]]:
        """Yield what the first of those predict, the first two, and so on; ``raw`` for their weighted votes."""

    def check_restored(self, model: Any) -> None:
        """Raise an error if a model file describes no possible model."""


class BaseLearnerEnsemble(TreeModel):
    """An ensemble of any base estimator."""

    _method: ClassVar[EnsembleMethod]
    _pools_rare_levels = True

    estimator: Any
    warm_start: bool

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        callback: Callable[..., Any] | None = None,
    ) -> Self:
        """Fit the model to a table and its target.

        Parameters
        ----------
        X : table
            numpy array, pandas, Polars or Arrow frame, dict of lists, list of dicts, or Table.
        y : array-like
            The class or the number of each row.
        sample_weight : array-like, optional
            A weight for each row; 2 counts like the row twice, 0 like a row that is not there.
        callback : callable, optional
            Called after each estimator: by AdaBoost with a `Round`, by bagging with the number of fitted estimators and
            their total. If it returns True, the fit ends.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._fit_callback = callback
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self.__dict__.pop("_fit_callback", None)

    def _wants_stop(self, *progress: Any) -> bool:
        """Call the callback of the fit; return whether it ends the fit."""
        return self._has_callback() and self._fit_callback(*progress) is True  # type: ignore[misc]

    def _has_callback(self) -> bool:
        return self.__dict__.get("_fit_callback") is not None

    def _base_estimator(self) -> Any:
        estimator = self._method.default_base(self) if self.estimator is None else self.estimator
        if not isinstance(estimator, BaseEstimator):
            raise UsageError(
                f"estimator must be an estimator such as CARTClassifier(max_depth=3); got {estimator!r:.80}",
                slug="usage.parameter",
            )
        return estimator

    @property
    def estimators_(self) -> list[Any]:
        """The fitted estimators. Model files store trees of treewright only; pickles store any."""
        others = self._other_estimators()
        return self._fitted_trees() if others is None else others

    @estimators_.setter
    def estimators_(self, estimators: list[Any]) -> None:
        self.__dict__["estimators_"] = estimators

    def _make_estimators(self) -> list[Any]:
        return fit_trees(self, self._base_estimator(), self.trees_)

    def _other_estimators(self) -> list[Any] | None:
        """Return the fitted estimators that are no trees of treewright; None for a model of trees."""
        check_is_fitted(self)
        return self.__dict__.get("estimators_")

    # ---- fitting

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        is_native = is_native_tree(self._base_estimator())
        # A warm start continues with estimators of the same kind only.
        state = "_forest" if is_native else "estimators_"
        if not self.warm_start or state not in self.__dict__:
            for name in FITTED:
                self.__dict__.pop(name, None)
        if is_native:
            super()._fit(X, y, sample_weight)
            samples: SampledRows | None = self.__dict__.get("estimators_samples_")
            if samples is not None:
                self.__dict__["estimators_samples_"] = samples.among(sample_weight)
            return
        with unseen_unreported():
            self._method.fit_estimators(self, X, y, sample_weight)
        if "classes_" in self.__dict__:
            self._order = np.arange(len(self.classes_))

    def _prepare(self, table: Table) -> Table:
        prepared: Table = self._base_estimator()._prepare(table)
        return prepared

    def _describe(self, table: Table, target: Any) -> Schema:
        schema: Schema = self._base_estimator()._describe(table, target)
        return schema

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: NDArray[np.float64] | None
    ) -> _core.Forest:
        return self._method.fit_trees(self, TrainingData(table, schema, target, weights))

    def __sklearn_is_fitted__(self) -> bool:
        return "_forest" in self.__dict__ or "estimators_" in self.__dict__

    # ---- predicting

    def _predict_values(self, X: Any) -> NDArray[np.float64]:
        if self._other_estimators() is None:
            return super()._predict_values(X)
        with unseen_reported_once():
            return self._method.predict_values(self, X)

    def _predict_sums(self, X: Any) -> NDArray[np.float64]:
        if self._other_estimators() is None:
            return super()._predict_sums(X)
        with unseen_reported_once():
            return self._method.predict_sums(self, X)

    def _stages(self, X: Any, raw: bool) -> Iterator[NDArray[np.float64]]:
        if self._other_estimators() is None:
            yield from super()._stages(X, raw)
            return
        with unseen_reported_once():
            yield from self._method.stages(self, X, raw)

    def _labels(self, probabilities: NDArray[np.float64]) -> NDArray[Any]:
        if self._other_estimators() is None:
            return super()._labels(probabilities)  # type: ignore[no-any-return]
        return np.asarray(self.classes_[probabilities.argmax(axis=1)])

    # ---- files and pickles

    def _document(self) -> str:
        if self._other_estimators() is not None:
            base = type(self._base_estimator()).__name__
            raise UsageError(
                f"cannot save {type(self).__name__} with base estimator {base}: model files store only "
                "treewright trees",
                slug="usage.model",
                hints=["use pickle instead, or a tree of treewright as the base estimator"],
            )
        return super()._document()

    def _saved_params(self) -> dict[str, Any]:
        # The base estimator is described separately, with its own parameters.
        return super()._saved_params() | {"estimator": None}

    def _extra_metadata(self) -> dict[str, Any]:
        more = super()._extra_metadata()
        if self.estimator is not None:
            more["member"] = describe_estimator(self.estimator)
        return more

    def _restore(self, metadata: Mapping[str, Any], contents: Any) -> None:
        super()._restore(metadata, contents)
        if metadata["params"].get("estimator") is not None:
            raise ValueError("its base estimator is among its parameters")
        if "member" in metadata:
            self.estimator = restore_estimator(metadata["member"])
            if not is_native_tree(self.estimator):
                raise ValueError("its base estimator does not grow a tree")

    def _check_restored(self) -> None:
        super()._check_restored()
        self._method.check_restored(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "estimators_" in state and "classes_" in state:  # pickles of early versions lack it
            self._order = np.arange(len(self.classes_))
