"""What models of many trees share: their trees, their stages, what is kept of a fit.

An ensemble adds only how its forest comes to be. Mix ``Ensemble`` in before ``Classifier`` or ``Regressor``, or
take ``EnsembleClassifier`` and ``EnsembleRegressor``; ``Deciding`` adds decision functions.

Glossary: a *stage* is one round of learning: a tree, or a tree for each class where trees have targets. *Raw* numbers
are those before the link.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._estimator.metadata import plain, wrong
from treewright._estimator.model import Classifier, Model, Regressor
from treewright._model.decision import decide
from treewright._model.trees import Trees
from treewright._utils.validation import threads_of
from treewright.tree import Tree

__all__ = ["Deciding", "Ensemble", "EnsembleClassifier", "EnsembleRegressor"]


# What a model file keeps as one number; all else are lists of numbers.
NUMBERS = frozenset({"n_estimators_", "n_init_trees_", "notes_", "oob_score_"})


class Ensemble(Model):
    """A model of many trees."""

    # Fitted attributes that a model file keeps: numbers, texts, and arrays of numbers.
    _keeps: ClassVar[tuple[str, ...]] = ()

    @property
    def trees_(self) -> Trees:
        """The trees, in the order in which they were grown."""
        check_is_fitted(self)
        return Trees(self._forest, self.schema_)

    @property
    def tree_(self) -> Tree:
        """The tree of a model of one; of many, take one of ``trees_``."""
        trees = self.trees_
        if len(trees) != 1:
            raise AttributeError(
                f"this model has {len(trees):,} trees: take one of them, such as trees_[0]"
            )
        return trees[0]

    @property
    def _worked_by(self) -> str:
        fitted = self.__dict__.get("_forest")
        return "row" if fitted is not None and fitted.combine["how"] == "sum" else "node"

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the node of each tree where each row ends.

        Parameters
        ----------
        X : table
            The rows.

        Returns
        -------
        ndarray of int of shape (rows, trees)
            Node numbers.
        """
        columns = self._columns(X)
        trees = range(self._forest.n_trees)
        return np.stack([self._forest.apply(i, columns) for i in trees], axis=1).astype(np.int64)

    # ---- stages

    def _stages(self, X: Any, raw: bool) -> Iterator[NDArray[np.float64]]:
        """Give what the model says after each stage, in the order of ``schema_.classes``."""
        columns, forest = self._columns(X), self._trees()
        threads = threads_of(self.__dict__.get("n_jobs"))
        combine = forest.combine
        trees = forest.n_raw if combine["targets"] else 1
        sums = self._beginning(X, columns, forest)
        for last in range(self._first_stage() + trees, forest.n_trees + 1, trees):
            if combine["how"] == "median":
                yield forest.predict(columns, 0, last, threads)
            else:
                sums = forest.gather(columns, last - trees, last, sums, threads)
                yield forest.finish(sums, 0, last, raw)

    def _trees(self) -> _core.Forest:
        """Return the trees of all stages."""
        return self._forest

    def _beginning(self, X: Any, columns: Any, forest: _core.Forest) -> NDArray[np.float64] | None:
        """Return the sums before the first stage; None where there is nothing before it."""
        return None

    def _first_stage(self) -> int:
        """Return how many trees belong to no stage, but come before all of them."""
        return 0

    # ---- files and pickles

    def _more_document(self) -> dict[str, Any]:
        kept = {name: self.__dict__[name] for name in self._keeps if name in self.__dict__}
        more = super()._more_document()
        return more | {"kept": {name: _written(value) for name, value in kept.items()}}

    def _restore(self, document: Mapping[str, Any], forest: Any) -> None:
        super()._restore(document, forest)
        for name, value in document.get("kept", {}).items():
            if name not in self._keeps:
                raise wrong(f"it keeps {name!r}")
            if isinstance(value, list) == (name in NUMBERS):
                raise wrong(f"what it keeps as {name} is of another kind")
            self.__dict__[name] = _read(value)


class EnsembleClassifier(Ensemble, Classifier):
    """Many trees that answer with a class."""

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Give the classes that the model would answer after each stage.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Yields
        ------
        ndarray
            A class for each row.
        """
        for shares in self._stages(X, raw=False):
            yield self.classes_[self._order[decide(shares, self.schema_)]]

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Give the shares of the classes after each stage.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Yields
        ------
        ndarray of shape (rows, classes)
            Shares in the order of ``classes_``.
        """
        for shares in self._stages(X, raw=False):
            yield self._sorted(shares)


class Deciding(EnsembleClassifier):
    """Many trees whose sums decide."""

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the sums that the answer comes from.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows,) or (rows, classes)
            For two classes one number, positive for the second; else one for each class, in the order of ``classes_``.
        """
        columns = self._columns(X)
        threads = threads_of(self.__dict__.get("n_jobs"))
        return self._decision(self._forest.predict_raw(columns, 0, None, threads))

    def staged_decision_function(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Give the sums after each stage.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Yields
        ------
        ndarray of shape (rows,) or (rows, classes)
            As by :meth:`decision_function`.
        """
        for sums in self._stages(X, raw=True):
            yield self._decision(sums)

    def _decision(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        if len(self.classes_) > 2:
            return self._sorted(sums)
        second = sums[:, 0] if sums.shape[1] == 1 else sums[:, 1] - sums[:, 0]
        return second if self._order[0] == 0 else -second


class EnsembleRegressor(Ensemble, Regressor):
    """Many trees that answer with a number."""

    def staged_predict(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Give the numbers that the model would answer after each stage.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Yields
        ------
        ndarray of float
            A number for each row.
        """
        for numbers in self._stages(X, raw=False):
            yield numbers[:, 0]


def _written(value: Any) -> Any:
    """Return a fitted attribute as JSON can hold it: arrays as lists, what is not a number as None."""
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        value = value.astype(object)
        value[[not np.isfinite(x) for x in value.flat]] = None
        return value.tolist()
    return plain(value)


def _read(value: Any) -> Any:
    """Return what was written; None is NaN."""
    cells = value if isinstance(value, list) else [value]
    if not all(x is None or isinstance(x, (int, float)) for x in cells):
        raise wrong("something that it keeps is neither a number nor a list of numbers")
    if not isinstance(value, list):
        return np.nan if value is None else value
    numbers = np.array([np.nan if x is None else x for x in value])
    if numbers.dtype.kind not in "biuf":
        raise wrong("a list that it keeps is not one of numbers")
    return numbers
