"""Sums that begin somewhere: models whose first terms are the trees, or the answers, of another learner.

A learner that is kept apart answers beside the trees of the rounds; such a model has no forest of its own, can be
pickled, and no model file can hold it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._estimator.metadata import param_to_json, unfitted
from treewright._estimator.model import Model
from treewright._estimator.tree_model import TreeModel
from treewright._input.encoding import encode, one_row
from treewright._learners.boosting.external_init import Apart, Start
from treewright._learners.ensembles.run_params import serializable_params
from treewright._model.trees import Trees, importances
from treewright._utils.validation import threads_of
from treewright.errors import UsageError

__all__ = ["Started"]

Numbers = NDArray[np.float64]


class Started(TreeModel):
    """A sum of trees that begins with ``init``."""

    init: Any
    init_: Any
    n_init_trees_: int

    def _keep_start(self, start: Start) -> None:
        for name in ("init_", "_beside", "_rounds", "n_init_trees_"):
            self.__dict__.pop(name, None)
        if start.terms is not None:
            self.n_init_trees_ = start.terms.n_trees
        if start.apart is not None:
            self._beside, self.init_ = start.apart, start.apart.learner

    def _apart(self) -> Apart | None:
        found: Apart | None = self.__dict__.get("_beside")
        return found

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        super()._fit(X, y, sample_weight)
        if self._apart() is not None:
            self._rounds = self.__dict__.pop("_forest")

    def __sklearn_is_fitted__(self) -> bool:
        return "_forest" in self.__dict__ or "_rounds" in self.__dict__

    # ---- answers

    def _initial_sums(self, X: Any, columns: Any, forest: _core.Forest) -> Numbers | None:
        """Return the sums before the first round; None where they are the base."""
        apart, first = self._apart(), self.__dict__.get("n_init_trees_", 0)
        sums = None
        if apart is not None:
            sums = np.ascontiguousarray(np.array(forest.combine["base"]) + apart.scores(X))
        if first:
            sums = forest.gather(columns, 0, first, sums, 1)
        return sums

    def _used_columns(self) -> tuple[str, ...]:
        return self.schema_.names if self._apart() is not None else super()._used_columns()

    def _n_initial_trees(self) -> int:
        return int(self.__dict__.get("n_init_trees_", 0))

    def _stage_forest(self) -> _core.Forest:
        check_is_fitted(self)
        forest: _core.Forest = self._rounds if self._apart() is not None else self._forest
        return forest

    def _says(self, X: Any, raw: bool = False) -> Numbers:
        """Return what a model whose start is kept apart says of each row."""
        columns, forest = self._encode(X), self._stage_forest()
        threads = threads_of(self.__dict__.get("n_jobs"))
        sums = self._initial_sums(X, columns, forest)
        sums = forest.gather(columns, 0, forest.n_trees, sums, threads)
        return forest.finish(sums, 0, forest.n_trees, raw)

    def _says_one(self, row: Any) -> Numbers:
        """Return what such a model says of one row: by way of a table of one, as its learner wants it."""
        columns = encode(one_row(row, self.schema_), self.schema_)
        if isinstance(row, Mapping):
            raise UsageError(
                "predict_one takes an array where init is a learner of another kind",
                slug="usage.parameter",
                hints=["predict takes a table of one row"],
            )
        forest, apart = self._stage_forest(), self._apart()
        assert apart is not None
        sums = np.array(forest.combine["base"]) + apart.scores(np.asarray(row)[None, :])
        sums = forest.gather(columns, 0, forest.n_trees, np.ascontiguousarray(sums), 1)
        return forest.finish(sums, 0, forest.n_trees, False)

    @property
    def trees_(self) -> Trees:
        """The trees, in the order in which they were grown; those of ``init`` first."""
        if self._apart() is not None:
            raise AttributeError(
                f"the sums of this model begin with a {type(self.init_).__name__}, which is no tree"
            )
        return super().trees_

    @property
    def feature_importances_(self) -> Numbers:
        """How much each column matters: its part of what the questions of all rounds save."""
        return importances(self._stage_forest(), self._n_initial_trees())

    # ---- files and pickles

    def _document(self) -> str:
        apart = self._apart()
        if apart is not None:
            raise UsageError(
                "a model file holds trees, and the sums of this model begin with a "
                f"{type(apart.learner).__name__}",
                slug="usage.model",
                hints=["pickle it, or take a tree of treewright as init"],
            )
        return super()._document()

    def _saved_params(self) -> dict[str, Any]:
        params = serializable_params(super()._saved_params())
        # A learner is written apart, with its own parameters.
        return params | ({"init": None} if hasattr(self.init, "fit") else {})

    def _extra_metadata(self) -> dict[str, Any]:
        more = super()._extra_metadata()
        if isinstance(self.init, Model):
            more["member"] = _told(self.init)
        return more

    def _restore(self, document: Mapping[str, Any], forest: Any) -> None:
        super()._restore(document, forest)
        if "member" in document:
            self.init = _made(document["member"])

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        if "_rounds" in state:
            state = state | {"_rounds": self._rounds.to_bytes(super()._document())}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        rounds = self.__dict__.get("_rounds")
        if isinstance(rounds, bytes):
            self._rounds = _core.Forest.from_bytes(rounds)[0]


def _told(learner: Model) -> dict[str, Any]:
    """Return a learner of ours as a file describes it, and what it begins with itself."""
    params = {name: param_to_json(value) for name, value in learner._saved_params().items()}
    told = {"estimator": type(learner).__name__, "params": params}
    begins = learner.__dict__.get("init")
    return told | ({"member": _told(begins)} if isinstance(begins, Model) else {})


def _made(described: Mapping[str, Any]) -> Model:
    """Return the learner that a file describes, with what it begins with itself."""
    learner = unfitted(described)
    if "member" in described:
        learner.__dict__["init"] = _made(described["member"])
    return learner
