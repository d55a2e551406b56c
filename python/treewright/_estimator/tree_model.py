"""Models made of trees: one tree, or many that are combined.

`TreeModel` adds to `Model` what a forest of the core offers: the trees with names, the node of each row, the
importance of each column, and predictions after each stage. A learner adds only how its forest is grown.

Glossary: a *stage* is one round of learning: a tree, or one tree for each class where each tree adds to the sum of one
class. *Raw* values are those before the link function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._estimator.metadata import param_to_json, wrong
from treewright._estimator.model import Model
from treewright._estimator.several_outputs import join_importances
from treewright._input.column_notes import join_notes, note_cuts
from treewright._input.encoding import encode, one_row, predict_array, predict_array_row
from treewright._model.trees import Trees, importances, smooth_forest, used_features
from treewright._utils.validation import threads_of
from treewright.schema import Schema
from treewright.table import Table
from treewright.tree import Tree

__all__ = ["TreeModel"]

# Saved attributes that are one number; all others are lists of numbers.
NUMBERS = frozenset({"imported_", "n_estimators_", "n_init_trees_", "notes_", "oob_score_"})


class TreeModel(Model):
    """A model whose fitted state is a forest: one tree, or many that are combined.

    Attributes
    ----------
    trees_ : Trees
        The trees, a sequence of ``Tree``.
    feature_importances_ : ndarray
        Importance of each column: its fraction of the total impurity decrease.
    schema_ : Schema
        Names, kinds and categories of the columns, and the classes.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns, if the training table had names.
    """

    _kind: ClassVar[str] = "tree"
    # Fitted attributes that a model file holds: numbers and arrays of numbers.
    _saved_attributes: ClassVar[tuple[str, ...]] = ()

    _forest: _core.Forest
    _estimators: tuple[_core.Forest, list[Any]]

    @property
    def trees_(self) -> Trees:
        """The trees, in the order in which they were grown."""
        check_is_fitted(self)
        return Trees(self._forest, self._schema_with_notes())

    @property
    def tree_(self) -> Tree:
        """The fitted tree, as read-only columns with names; if there are many, take one of ``trees_``."""
        trees = self.trees_
        if len(trees) != 1:
            raise AttributeError(
                f"this model has {len(trees):,} trees: take one of them, such as trees_[0]"
            )
        return trees[0]

    def _fitted_trees(self) -> list[Any]:
        """Return the trees as fitted estimators; those of one fit are made once."""
        check_is_fitted(self)
        forest = self._stage_forest()
        if "_estimators" not in self.__dict__ or self._estimators[0] is not forest:
            self._estimators = (forest, self._make_estimators())
        return self._estimators[1]

    def _make_estimators(self) -> list[Any]:
        raise AttributeError(f"{type(self).__name__} has one tree: tree_")

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The importance of each column: its part of the cost that all splits save. They add up to 1, or are all 0."""
        check_is_fitted(self)
        if "outputs_" in self.__dict__:
            return join_importances(self.outputs_)
        return importances(self._forest)

    def apply(self, X: Any) -> NDArray[np.int64]:
        """Return the node where each row ends: a leaf, or the branch where an unseen value stopped it.

        Parameters
        ----------
        X : table
            The rows.

        Returns
        -------
        ndarray of int
            A node number for each row; for a model of many trees, of shape (rows, trees).
        """
        if "outputs_" in self.__dict__:  # they have the same splits
            nodes: NDArray[np.int64] = self.outputs_[0].apply(X)
            return nodes
        columns, forest = self._encode(X), self._forest
        if self._kind == "tree":
            return forest.apply(0, columns).astype(np.int64)
        ends = [forest.apply(i, columns) for i in range(forest.n_trees)]
        return np.stack(ends, axis=1).astype(np.int64)

    def decision_path(self, X: Any) -> Any:
        """Return which nodes each row goes through, as scikit-learn does.

        A row that is divided among branches, as C4.5 does with a missing value, counts up to the node that divides it.

        Parameters
        ----------
        X : table
            The rows.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (rows, nodes)
            1 where a row goes through a node. For a model of many trees a pair: the matrix of all nodes of all trees
            side by side, and where each tree begins in it (trees + 1 numbers).
        """
        from treewright._estimator.path_matrix import path_matrix

        ends = self.apply(X)
        if self._kind == "tree":
            return path_matrix(self.trees_, ends[:, None])[0]
        return path_matrix(self.trees_, ends)

    def _add_notes(self, schema: Schema, table: Table) -> Schema:
        before: Schema | None = self.__dict__.get("schema_")
        schema = super()._add_notes(schema, table)
        if getattr(self, "warm_start", False) and before is not None and before == schema:
            return join_notes(before, schema)
        # A learner with a warm start has more trees than anybody reads.
        return schema if hasattr(self, "warm_start") else note_cuts(schema, table, self._forest)

    # ---- predicting

    def _output_forest(self) -> _core.Forest:
        """Return the trees that predict: with smoothed probabilities where the model smooths them."""
        forest = self._forest
        schema = self.__dict__.get("schema_")
        if schema is None or schema.smoothing is None:
            return forest
        smoothed: _core.Forest
        source, smoothed = self.__dict__.get("_smoothed", (None, forest))
        if source is not forest:  # made once for each tree, not for each prediction
            smoothed = smooth_forest(forest, schema)
            self.__dict__["_smoothed"] = forest, smoothed
        return smoothed

    def _predict_values(self, X: Any) -> NDArray[np.float64]:
        values = predict_array(self, X)
        if values is not None:
            return values
        columns = self._encode(X)  # first: it says that a model is not fitted
        return self._output_forest().predict(columns)

    def _predict_sums(self, X: Any) -> NDArray[np.float64]:
        """Return the values before the link function: for each class its sum, or one sum for two classes."""
        columns = self._encode(X)
        threads = threads_of(self.__dict__.get("n_jobs"))
        return self._forest.predict_raw(columns, 0, None, threads)

    def _predict_row(self, row: Any) -> list[float]:
        values = predict_array_row(self, row)
        if values is not None:
            return values
        check_is_fitted(self)
        columns = encode(one_row(row, self.schema_), self.schema_)
        predicted: list[float] = self._output_forest().predict(columns)[0].tolist()
        return predicted

    def _used_columns(self) -> tuple[str, ...]:
        names = self.schema_.names
        return tuple(names[feature] for feature in used_features(self._forest))

    # ---- stages

    def _stages(self, X: Any, raw: bool) -> Iterator[NDArray[np.float64]]:
        """Yield the values after each stage, classes in the order of ``schema_.classes``."""
        columns, forest = self._encode(X), self._stage_forest()
        threads = threads_of(self.__dict__.get("n_jobs"))
        combine = forest.combine
        trees = forest.n_raw if combine["targets"] else 1
        sums = self._initial_sums(X, columns, forest)
        for last in range(self._n_initial_trees() + trees, forest.n_trees + 1, trees):
            if combine["how"] == "median":
                yield forest.predict(columns, 0, last, threads)
            else:
                sums = forest.gather(columns, last - trees, last, sums, threads)
                yield forest.finish(sums, 0, last, raw)

    def _stage_forest(self) -> _core.Forest:
        """Return the trees of all stages."""
        return self._forest

    def _initial_sums(
        self, X: Any, columns: Any, forest: _core.Forest
    ) -> NDArray[np.float64] | None:
        """Return the sums before the first stage; None if there are none."""
        return None

    def _n_initial_trees(self) -> int:
        """Return the number of trees before the first stage."""
        return 0

    # ---- files

    def _extra_metadata(self) -> dict[str, Any]:
        more = super()._extra_metadata()
        if self._kind != "trees":
            return more
        saved = {n: self.__dict__[n] for n in self._saved_attributes if n in self.__dict__}
        return more | {"kept": {name: _to_json(value) for name, value in saved.items()}}

    def _restore(self, metadata: Mapping[str, Any], contents: Any) -> None:
        super()._restore(metadata, contents)
        if self._kind != "trees":
            return
        for name, value in metadata.get("kept", {}).items():
            if name not in self._saved_attributes:
                raise wrong(f"it keeps {name!r}")
            if isinstance(value, list) == (name in NUMBERS):
                raise wrong(f"what it keeps as {name} is of another kind")
            self.__dict__[name] = _from_json(value)


def _to_json(value: Any) -> Any:
    """Return a fitted attribute as JSON can hold it: arrays as lists, what is not finite as None."""
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        value = value.astype(object)
        value[[not np.isfinite(x) for x in value.flat]] = None
        return value.tolist()
    return param_to_json(value)


def _from_json(value: Any) -> Any:
    """Return the attribute that :func:`_to_json` wrote; None is NaN."""
    cells = value if isinstance(value, list) else [value]
    if not all(x is None or isinstance(x, (int, float)) for x in cells):
        raise wrong("something that it keeps is neither a number nor a list of numbers")
    if not isinstance(value, list):
        return np.nan if value is None else value
    numbers = np.array([np.nan if x is None else x for x in value])
    if numbers.dtype.kind not in "biuf":
        raise wrong("a list that it keeps is not one of numbers")
    return numbers
