"""What all estimators share: reading a table, holding a forest with its schema, and answering with it.

An algorithm adds only how its forest comes to be. scikit-learn's manners live here: names and numbers of columns are
checked, nothing is set in ``__init__``, predicting changes nothing, and a pickle holds parameters and the bytes of the
model file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._catalog import TITLES, described
from treewright._estimator.metadata import canonical, opened, plain, rebuild
from treewright._input.checks import read_rows, read_training
from treewright._input.column_notes import join_notes, note_cuts, note_values
from treewright._input.columns import settled
from treewright._input.encoding import count_unseen, encode, one_row
from treewright._input.fast_path import quick_row, quick_rows
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._input.unseen_values import warn_unseen
from treewright._model.decision import decide
from treewright._model.trees import importances, used_features
from treewright._utils.validation import number, threads_of, word
from treewright.schema import Level, Schema
from treewright.table import Table
from treewright.tree import Tree

__all__ = ["Classifier", "Model", "Regressor", "rebuild"]


class Model(BaseEstimator):
    """An estimator whose fitted state is a forest and a schema."""

    # What a model file of this kind holds besides its document.
    _holds: ClassVar[type] = _core.Forest
    # Fitted attributes that are about one fit only, also where a warm start goes on with its trees.
    _measured: ClassVar[frozenset[str]] = frozenset(
        {"oob_curve_", "oob_decision_function_", "oob_prediction_", "oob_score_", "pruning_"}
    )

    schema_: Schema
    _forest: _core.Forest

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.dict = True
        tags.input_tags.allow_nan = True
        return tags

    @property
    def _worked_by(self) -> str:
        """What its work is that of: a node, a round, a row whose answer is a sum, or the vote about a row."""
        return "node"

    # ---- how views name the learner and the unit of its costs

    @property
    def _title(self) -> str:
        return self._described()[0]

    @property
    def _impurity(self) -> str:
        return self._described()[1]

    def _described(self) -> tuple[str, str]:
        names = (kind.__name__ for kind in type(self).__mro__)
        known = next((name for name in names if name in TITLES), "")
        return described(known, self.get_params(deep=False))

    # ---- learning

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from a table and its target.

        Parameters
        ----------
        X : table
            numpy array, pandas, Polars or Arrow frame, dict of lists, list of dicts, or Table.
        y : array-like
            The class or the number of each row.
        sample_weight : array-like, optional
            A weight for each row; 2 counts like the row twice, 0 like a row that is not there.

        Returns
        -------
        self
            The fitted estimator.
        """
        before = dict(self.__dict__)
        self._forget()
        try:
            self._fit(X, y, sample_weight)
        except BaseException:
            # Whatever goes wrong, Ctrl-C included, leaves the estimator as it was.
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    def _forget(self) -> None:
        """Drop what an earlier fit left behind, so that nothing of it outlives what this one does not make again.

        A warm start goes on with the earlier trees, and drops only what was measured on them.
        """
        warm = bool(self.__dict__.get("warm_start", False))
        for name in [name for name in self.__dict__ if name.endswith("_")]:
            if name in self._measured or not warm:
                del self.__dict__[name]

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None"
            )
        table = read_training(self, X)
        target = self._check_target(y)
        weights = weights_of(sample_weight, len(table))
        if len(target) != len(table):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"the table has {len(table)} rows, the target {len(target)}"
            )
        if weights is not None and not weights.all():
            present = weights > 0
            table, target, weights = table[present], target.take(present), weights[present]
        # A matrix has no column without values.
        table = self._prepare(table if table.matrix is not None else table.map(settled))
        schema = self._describe(table, target)
        self._forest = self._learn(table, schema, target, weights)
        self.schema_ = self._note(schema, table)
        self._keep(target)

    def _check_target(self, y: Any) -> Any:
        raise TypeError(f"{type(self).__name__} has no target")

    def _prepare(self, table: Table) -> Table:
        """Change the columns into the kinds that the learner asks about."""
        return table

    def _describe(self, table: Table, target: Any) -> Schema:
        """Return the schema of a training table and its target."""
        return Schema(table.described, target.name, target.levels)

    def _note(self, schema: Schema, table: Table) -> Schema:
        """Return the schema with what views must know of the values that thresholds divide."""
        before: Schema | None = self.__dict__.get("schema_")
        schema = note_values(schema, table)
        if getattr(self, "warm_start", False) and before is not None and before == schema:
            return join_notes(before, schema)
        # A model that can go on has more trees than anybody reads.
        reads = self._holds is _core.Forest and not hasattr(self, "warm_start")
        return note_cuts(schema, table, self._forest) if reads else schema

    def _noted(self) -> Schema:
        """Return the schema with its notes."""
        return self.schema_

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: NDArray[np.float64] | None
    ) -> _core.Forest:
        raise TypeError(f"{type(self).__name__} does not learn")

    def _keep(self, target: Any) -> None:
        """Keep what the answers need of the target."""

    def _columns(self, X: Any) -> _core.Matrix | list[NDArray[Any]]:
        check_is_fitted(self)
        table = read_rows(self, X, self.schema_)
        columns = encode(table, self.schema_)
        warn_unseen(table, columns, self.schema_)
        return columns

    def _used_columns(self) -> tuple[str, ...]:
        """Return the names of the columns that can change a prediction."""
        names = self.schema_.names
        return tuple(names[feature] for feature in used_features(self._forest))

    # ---- what a fitted model offers

    @property
    def tree_(self) -> Tree:
        """The fitted tree, as read-only columns with names."""
        check_is_fitted(self)
        return Tree(self._forest, 0, self._noted())

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much each column matters: its part of what all questions save. They add up to 1, or are all 0."""
        check_is_fitted(self)
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
            A node number for each row.
        """
        columns = self._columns(X)
        return self._forest.apply(0, columns).astype(np.int64)

    def count_unseen(self, X: Any) -> dict[str, dict[Level, int]]:
        """Count the values that the model never saw in training, by column.

        A row with such a value stops at the node that asks about it and gets that node's answer.

        Parameters
        ----------
        X : table
            The rows.

        Returns
        -------
        dict
            For each column with unseen values, how often each occurs.
        """
        check_is_fitted(self)
        return count_unseen(read_rows(self, X, self.schema_), self.schema_)

    # ---- files and pickles

    def _document(self) -> str:
        """Return what a model file says besides the node table, as canonical JSON."""
        check_is_fitted(self)
        document: dict[str, Any] = {
            "estimator": type(self).__name__,
            "params": {name: plain(value) for name, value in self._written().items()},
            "schema": self._noted().to_dict(),
            "named": hasattr(self, "feature_names_in_"),
        } | self._more_document()
        work = document.pop("work", None)
        text = canonical(document)
        # The work is written already, and no key comes after its own.
        return text if work is None else f'{text[:-1]},"work":[{",".join(work)}]}}'

    def _written(self) -> dict[str, Any]:
        """Return the parameters that a model file holds."""
        params: dict[str, Any] = self.get_params(deep=False)
        return params

    def _more_document(self) -> dict[str, Any]:
        return {}

    def _restore(self, document: Mapping[str, Any], forest: Any) -> None:
        self._forest = forest
        self.schema_ = Schema.from_dict(document["schema"])
        self.n_features_in_ = len(self.schema_.columns)
        if document["named"]:
            self.feature_names_in_ = np.array(self.schema_.names, dtype=object)

    def _check_restored(self) -> None:
        """Refuse what a file says of a model and no model has; what is raised is told as an error of the file."""
        params = self.get_params(deep=False)
        threads_of(params.get("n_jobs"))
        number("confidence", params.get("confidence", 0.5), least=0, most=1)
        criteria = tuple(TITLES.get(type(self).__name__, {"": ()}))
        if criteria[0]:
            word("criterion", params.get("criterion"), criteria)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        if "_forest" not in state:
            return state
        model = self._forest.to_bytes(self._document())
        kept = {
            k: v
            for k, v in state.items()
            if not k.endswith("_") and k not in ("_forest", "_order", "_kept")
        }
        return kept | {"_model": model}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        model = state.pop("_model", None)
        super().__setstate__(state)
        if model is not None:
            self._restore(*opened(bytes(model)))


class Classifier(ClassifierMixin, Model):
    """A model that answers with a class.

    Its forest says the share of each class, in the order of ``schema_.classes``; ``classes_`` is the same list
    sorted, as scikit-learn expects it, and ``_order`` leads from the one to the other.
    """

    classes_: NDArray[Any]
    _order: NDArray[np.int64]

    def _check_target(self, y: Any) -> ClassTarget:
        return ClassTarget.of(y)

    def _keep(self, target: ClassTarget) -> None:
        self.classes_ = target.sorted
        self._order = target.order

    def _shares(self, X: Any) -> NDArray[np.float64]:
        shares = quick_rows(self, X)
        if shares is not None:
            return shares
        columns = self._columns(X)
        return self._forest.predict(columns)

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
        quick = quick_row(self, row)
        if quick is not None and not self.schema_.costs:
            return self.schema_.classes[quick.index(max(quick))]
        check_is_fitted(self)
        shares = self._forest.predict(encode(one_row(row, self.schema_), self.schema_))
        return self.schema_.classes[int(decide(shares, self.schema_)[0])]

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row, or with costs the answer of least expected cost; ties go to the first class.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray
            A class for each row.
        """
        answers = decide(self._shares(X), self.schema_)
        classes: NDArray[Any] = self.classes_[self._order[answers]]
        return classes

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the share of each class at the node where each row ends.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of shape (rows, classes)
            Shares in the order of ``classes_``.
        """
        return self._sorted(self._shares(X))

    def _sorted(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return columns that stand in the order of ``schema_.classes`` in that of ``classes_``."""
        if np.array_equal(self._order, np.arange(len(self._order))):
            return shares
        sorted_shares = np.empty_like(shares)
        sorted_shares[:, self._order] = shares
        return sorted_shares

    def _more_document(self) -> dict[str, Any]:
        return {"classes_dtype": _dtype_word(self.classes_)}

    def _restore(self, document: Mapping[str, Any], forest: Any) -> None:
        super()._restore(document, forest)
        classes = np.array(self.schema_.classes, dtype=document["classes_dtype"])
        order = np.argsort(np.argsort(classes, kind="stable"), kind="stable")
        self.classes_ = np.sort(classes)
        self._order = order


class Regressor(RegressorMixin, Model):
    """A model that answers with a number."""

    def _check_target(self, y: Any) -> NumberTarget:
        return NumberTarget.of(y)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Return the number of each row.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        ndarray of float
            A number for each row.
        """
        numbers = quick_rows(self, X)
        if numbers is None:
            columns = self._columns(X)
            numbers = self._forest.predict(columns)
        return numbers[:, 0]

    def predict_one(self, row: Any) -> float:
        """Return the number of one row, as quickly as possible.

        Parameters
        ----------
        row : ndarray, sequence or mapping
            One value for each column: in their order, or by name. An array of floats is fastest.

        Returns
        -------
        float
            The number.
        """
        numbers = quick_row(self, row)
        if numbers is None:
            check_is_fitted(self)
            columns = encode(one_row(row, self.schema_), self.schema_)
            return float(self._forest.predict(columns)[0, 0])
        return numbers[0]


def _dtype_word(classes: NDArray[Any]) -> str:
    """Name the type of the class labels by a word that means the same on every machine."""
    return "str" if classes.dtype.kind == "U" else classes.dtype.name
