"""The learners that an ensemble is made of: ours, whose trees become one model, and others, which are kept as they are.

Ours grow their trees from the ensemble's own table, schema and weights, and are never fitted themselves. Others are
cloned and fitted; such an ensemble can be pickled, and no model file can hold it.

Glossary: a *member* is one fitted learner of another kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NoReturn, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from treewright import _core
from treewright._catalog import LEARNERS, import_public
from treewright._estimator.metadata import param_to_json
from treewright._estimator.model import Model
from treewright._estimator.tree_model import TreeModel
from treewright._input.unseen_values import unseen_reported_once, unseen_unreported
from treewright._learners.ensembles.run_params import serializable_params
from treewright._utils.user_warnings import warn_user
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["Membered", "is_ours", "member", "weighted"]

T = TypeVar("T")

# Learners of ours that grow one tree from a table, its target and weights.
TREES = tuple(name for name, learner in LEARNERS.items() if learner.kind == "tree")


def is_ours(estimator: Any) -> bool:
    """Return whether a learner grows a tree of ours.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> is_ours(DecisionTreeClassifier())
    False
    """
    return isinstance(estimator, Model) and type(estimator).__name__ in TREES


def member(estimator: Any, seed: int) -> Any:
    """Return a clone with a seed of its own, where it takes one."""
    one = clone(estimator)
    if "random_state" in one.get_params(deep=False):
        one.set_params(random_state=seed % 2**32)
    return one


def weighted(estimator: Any) -> None:
    """Refuse a learner whose ``fit`` takes no weights."""
    if not has_fit_parameter(estimator, "sample_weight"):
        raise ValueError(f"{type(estimator).__name__} doesn't support sample_weight.")


class Membered(TreeModel):
    """An ensemble of any learner."""

    # Fitted attributes that a fit which does not go on with another begins without.
    _fitted: ClassVar[tuple[str, ...]] = ()

    estimator: Any
    warm_start: bool
    schema_: Schema

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        callback: Callable[..., Any] | None = None,
    ) -> Self:
        """Learn from a table and its target.

        Parameters
        ----------
        X : table
            numpy array, pandas, Polars or Arrow frame, dict of lists, list of dicts, or Table.
        y : array-like
            The class or the number of each row.
        sample_weight : array-like, optional
            A weight for each row; 2 counts like the row twice, 0 like a row that is not there.
        callback : callable, optional
            Called after each learner: by AdaBoost with a `Round`, by bagging with how many learners there are and
            how many there will be. Where it returns True, learning ends.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._told = callback
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self.__dict__.pop("_told", None)

    def _callback(self) -> Callable[..., Any] | None:
        found: Callable[..., Any] | None = self.__dict__.get("_told")
        return found

    def _grown(self, schema: Schema, limit: int) -> _core.Forest | None:
        """Return the trees that a warm start goes on with."""
        forest: _core.Forest | None = self.__dict__.get("_forest")
        if not self.warm_start or forest is None:
            return None
        if self.schema_ != schema:
            raise ValueError(
                "a warm start goes on with the same table; its columns or classes have changed"
            )
        return self._checked(forest, forest.n_trees, limit)

    def _fitted_before(self, limit: int) -> list[Any]:
        """Return the members that a warm start goes on with."""
        members: list[Any] | None = self.__dict__.get("estimators_")
        if not self.warm_start or members is None:
            return []
        return list(self._checked(members, len(members), limit))

    def _checked(self, before: T, count: int, limit: int) -> T:
        if count > limit:
            raise ValueError(
                f"n_estimators={limit} must be larger or equal to the {count} learners there are "
                "when warm_start==True"
            )
        if count == limit:
            warn_user(
                "Warm-start fitting without increasing n_estimators does not fit new learners."
            )
        return before

    def _base(self) -> Any:
        """Return the learner that the ensemble is made of."""
        estimator = self._standard() if self.estimator is None else self.estimator
        if not isinstance(estimator, BaseEstimator):
            raise UsageError(
                f"estimator must be a learner such as CARTClassifier(max_depth=3); got {estimator!r:.80}",
                slug="usage.parameter",
            )
        return estimator

    def _base_is_ours(self) -> bool:
        return is_ours(self._base())

    def _standard(self) -> Any:
        raise TypeError(f"{type(self).__name__} has no learner of its own")

    # ---- what the base knows about its table

    def _prepare(self, table: Table) -> Table:
        prepared: Table = self._base()._prepare(table)
        return prepared

    def _describe(self, table: Table, target: Any) -> Schema:
        described: Schema = self._base()._describe(table, target)
        return described

    # ---- fitting others

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        ours = is_ours(self._base())
        # A warm start goes on with learners of the same kind only.
        goes_on = self.warm_start and ("_forest" if ours else "estimators_") in self.__dict__
        for name in ("estimators_", "_forest", "schema_", *self._fitted):
            if not goes_on:
                self.__dict__.pop(name, None)
        if ours:
            super()._fit(X, y, sample_weight)
        else:
            with unseen_unreported():
                self._fit_others(X, y, sample_weight)

    def _fit_others(self, X: Any, y: Any, sample_weight: Any) -> None:
        raise TypeError(f"{type(self).__name__} takes trees of ours only")

    def _others(self) -> list[Any] | None:
        """Return the members; None where the model is one of trees."""
        check_is_fitted(self)
        members: list[Any] | None = self.__dict__.get("estimators_")
        return members

    def __sklearn_is_fitted__(self) -> bool:
        return "_forest" in self.__dict__ or "estimators_" in self.__dict__

    # ---- files

    def _document(self) -> str:
        if self._others() is not None:
            self._refuse_file()
        return super()._document()

    def _refuse_file(self) -> NoReturn:
        raise UsageError(
            f"a model file holds trees, and this {type(self).__name__} is made of "
            f"{type(self._base()).__name__}",
            slug="usage.model",
            hints=["pickle it, or take a learner of treewright"],
        )

    def _saved_params(self) -> dict[str, Any]:
        # The learner is written apart, with its own parameters.
        return serializable_params(super()._saved_params()) | {"estimator": None}

    def _extra_metadata(self) -> dict[str, Any]:
        more = super()._extra_metadata()
        if self.estimator is not None:
            own = self.estimator.get_params(deep=False)
            params = {name: param_to_json(value) for name, value in own.items()}
            more["member"] = {"estimator": type(self.estimator).__name__, "params": params}
        return more

    def _restore(self, document: Mapping[str, Any], forest: Any) -> None:
        super()._restore(document, forest)
        if document["params"].get("estimator") is not None:
            raise ValueError("its learner is not written apart")
        if "member" in document:
            self.estimator = _made(document["member"])


def _made(described: Mapping[str, Any]) -> Any:
    """Return the learner that a file describes; only trees of ours are looked up."""
    from treewright._estimator.metadata import param_from_json

    if described["estimator"] not in TREES:
        raise ValueError("it is made of a learner that is not known")
    kind = import_public(described["estimator"])
    return kind(**{name: param_from_json(value) for name, value in described["params"].items()})


def labels(members: list[Any], X: Any, classes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the place among the classes that each member answers for each row: a column a member."""
    with unseen_reported_once():
        return np.column_stack([np.searchsorted(classes, one.predict(X)) for one in members])
