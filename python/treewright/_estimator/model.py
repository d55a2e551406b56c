"""The base class of all estimators: `Model` reads tables, keeps a schema, and writes files and pickles.

A learner adds how its fitted state is computed (`_learn`) and what it predicts (`_predict_values`). The conventions of
scikit-learn are followed here: names and number of columns are checked, ``__init__`` only stores parameters, predicting
changes nothing. A pickle holds the parameters and the bytes of the model file.

Not here: what the numbers mean (``classifier``, ``regressor``), models made of trees (``tree_model``, ``ensemble``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._catalog import LEARNERS, title_and_unit
from treewright._estimator.metadata import canonical, open_bytes, param_to_json, serializable_params
from treewright._estimator.several_outputs import explain_missing, fit_outputs, split_outputs
from treewright._input.checks import read_rows, read_training
from treewright._input.column_notes import note_values
from treewright._input.encoding import count_unseen, encode, one_row
from treewright._input.source_columns import prepare_training
from treewright._input.target import weights_of
from treewright._input.unseen_values import warn_unseen
from treewright._utils.renamed import rename_keys
from treewright._utils.validation import check_choice, check_lengths, check_number, threads_of
from treewright.schema import Level, Schema
from treewright.table import CoreColumns, Table

__all__ = ["Model"]


# Fitted state without the underscore at the end: it follows from the model file in the pickle, or is lost.
NOT_PICKLED = frozenset({"_estimators", "_forest", "_order", "_record", "_smoothed"})


class Model(BaseEstimator):
    """An estimator whose fitted state is an object of the core and a schema."""

    # What the fitted state is: "tree", "trees", "rules" or "neighbors".
    _kind: ClassVar[str] = ""
    # The class of the core that a model file of this estimator holds.
    _contents_type: ClassVar[type] = _core.Forest
    # Fitted attributes that describe one fit only: also dropped by a warm start.
    _fit_results: ClassVar[frozenset[str]] = frozenset(
        {"oob_curve_", "oob_decision_function_", "oob_prediction_", "oob_score_", "pruning_"}
    )
    # Whether rare categories of nearly unique text count as one, since sets of categories would overfit them.
    _pools_rare_levels: ClassVar[bool] = False
    # New names of parameters by the names in files and pickles.
    _renamed_params: ClassVar[Mapping[str, str]] = {}
    # Parameters that early versions did not have, and their defaults.
    _later_params: ClassVar[Mapping[str, Any]] = {}

    schema_: Schema
    _forest: Any  # the trees, the rules, or the training rows of neighbors

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        for kind in ("categorical", "string", "dict", "allow_nan", "sparse"):
            setattr(tags.input_tags, kind, True)
        tags.target_tags.multi_output = hasattr(self, "_learn_outputs")
        return tags

    @property
    def _work_unit(self) -> str:
        """What `work` explains for this model: "node", "forest", "round", "row", "rule" or "vote"."""
        learner = LEARNERS.get(self._learner_name())
        return "node" if learner is None else learner.work_unit

    @classmethod
    @cache  # reading the constructor would be a large part of a small fit
    def _get_param_names(cls) -> list[str]:
        return list(super()._get_param_names())

    # The name of the learner and the unit of its costs, for views.
    _title = property(lambda self: self._title_and_unit()[0])
    _impurity = property(lambda self: self._title_and_unit()[1])

    def _title_and_unit(self) -> tuple[str, str]:
        return title_and_unit(self._learner_name(), self.get_params(deep=False))

    def _learner_name(self) -> str:
        """Return the name in the catalog: of the class, or of the first base class that is there."""
        return next((c.__name__ for c in type(self).__mro__ if c.__name__ in LEARNERS), "")

    # ---- fitting

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model to a table and its target.

        Parameters
        ----------
        X : table
            numpy array, sparse matrix, pandas, Polars or Arrow frame, dict of lists, list of dicts, or Table.
        y : array-like
            The class or the number of each row. CART and forests take several for each row: a table of outputs.
        sample_weight : array-like, optional
            A weight for each row; 2 counts like the row twice, 0 like a row that is not there.

        Returns
        -------
        self
            The fitted estimator.
        """
        before = dict(self.__dict__)
        self._clear_fitted()
        try:
            self._fit(X, y, sample_weight)
        except BaseException:
            # Whatever goes wrong, Ctrl-C included, leaves the estimator as it was.
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    def _clear_fitted(self) -> None:
        """Drop the fitted attributes of an earlier fit; a warm start keeps those of its trees."""
        warm = bool(self.__dict__.get("warm_start", False))
        for name in [name for name in self.__dict__ if name.endswith("_")]:
            if name in self._fit_results or not warm:
                del self.__dict__[name]

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but the target y is None"
            )
        outputs = split_outputs(self, y)
        if outputs is not None:
            fit_outputs(self, X, outputs, sample_weight)
            return
        table = read_training(self, X)
        target = self._check_target(y)
        weights = weights_of(sample_weight, len(table))
        check_lengths(len(table), len(target))
        if weights is not None and not weights.all():
            present = weights > 0
            table, target, weights = table[present], target.take(present), weights[present]
        table = self._prepare(prepare_training(table, pool=self._pools_rare_levels))
        schema = self._describe(table, target)
        self._forest = self._learn(table, schema, target, weights)
        self.schema_ = self._add_notes(schema, table)
        table._remember_schema(self.schema_)
        self._store_classes(target)

    def __getattr__(self, name: str) -> Any:
        # Only for names that are not found otherwise. A property that is there has raised an error of its own.
        known = getattr(type(self), name, None)
        if isinstance(known, property) and known.fget is not None:
            return known.fget(self)
        raise explain_missing(self, name)

    def _check_target(self, y: Any) -> Any:
        raise TypeError(f"{type(self).__name__} has no target")

    def _prepare(self, table: Table) -> Table:
        """Convert the columns to the kinds that the learner splits on."""
        return table

    def _describe(self, table: Table, target: Any) -> Schema:
        """Return the schema of a training table and its target."""
        return Schema(table.described, target.name, target.levels)

    def _add_notes(self, schema: Schema, table: Table) -> Schema:
        """Return the schema with notes on the values of numeric columns, which views need to round thresholds."""
        return note_values(schema, table)

    def _schema_with_notes(self) -> Schema:
        return self.schema_

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: NDArray[np.float64] | None
    ) -> Any:
        """Return the fitted state as an object of the core."""
        raise TypeError(f"{type(self).__name__} cannot be fitted")

    def _store_classes(self, target: Any) -> None:
        """Store what predictions need of the target."""

    # ---- predicting

    def _encode(self, X: Any) -> CoreColumns:
        """Return the columns of rows to predict as the core reads them."""
        check_is_fitted(self)
        table = read_rows(self, X, self.schema_)
        columns = encode(table, self.schema_)
        warn_unseen(table, columns, self.schema_)
        return columns

    def _predict_values(self, X: Any) -> NDArray[np.float64]:
        """Return the shares of the classes, in the order of ``schema_.classes``, or one number, for each row."""
        raise TypeError(f"{type(self).__name__} cannot predict")

    def _predict_row(self, row: Any) -> list[float]:
        """Return what :meth:`_predict_values` gives for one row."""
        check_is_fitted(self)
        values: list[float] = self._predict_values(one_row(row, self.schema_))[0].tolist()
        return values

    def _used_columns(self) -> tuple[str, ...]:
        """Return the names of the columns that can change a prediction."""
        return self.schema_.names

    def count_unseen(self, X: Any) -> dict[str, dict[Level, int]]:
        """Count the values that did not occur in training, by column.

        A row with such a value stops at the node that tests it and gets the prediction of that node.

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
        """Return the metadata of a model file as canonical JSON."""
        check_is_fitted(self)
        metadata: dict[str, Any] = {
            "estimator": type(self).__name__,
            "params": {name: param_to_json(value) for name, value in self._saved_params().items()},
            "schema": self._schema_with_notes().to_dict(),
            "named": hasattr(self, "feature_names_in_"),
        } | self._extra_metadata()
        work = metadata.pop("work", None)
        text = canonical(metadata)
        # The work is JSON already, and its key is the last in the alphabet.
        return text if work is None else f'{text[:-1]},"work":[{",".join(work)}]}}'

    def _saved_params(self) -> dict[str, Any]:
        """Return the parameters that a model file holds, by the names of its format."""
        old_names = {new: old for old, new in self._renamed_params.items()}
        params = serializable_params(self._seeded_params())
        # A later parameter is written only if it is set: all other models keep their bytes.
        later: dict[str, Any] = {}
        for kind in type(self).__mro__:
            later |= vars(kind).get("_later_params", {})
        written = {
            name: value
            for name, value in params.items()
            if name not in later or not _is_unset(value, later[name])
        }
        return rename_keys(written, old_names)

    def _seeded_params(self) -> dict[str, Any]:
        """Return the parameters, with the seed that the fit drew in place of a generator if the model keeps it."""
        params: dict[str, Any] = self.get_params(deep=False)
        return params

    def _extra_metadata(self) -> dict[str, Any]:
        """Return the metadata that only this kind of model has."""
        return {}

    def _restore(self, metadata: Mapping[str, Any], contents: Any) -> None:
        """Set the fitted state from a model file."""
        self._forest = contents
        self.schema_ = Schema.from_dict(metadata["schema"])
        self.n_features_in_ = len(self.schema_.columns)
        if metadata["named"]:
            self.feature_names_in_ = np.array(self.schema_.names, dtype=object)

    def _check_restored(self) -> None:
        """Refuse parameters from a file that no fit accepts; the error is reported as one of the file."""
        params = self.get_params(deep=False)
        threads_of(params.get("n_jobs"))
        check_number("confidence", params.get("confidence", 0.5), minimum=0, maximum=1)
        learner = LEARNERS.get(type(self).__name__)
        if learner is not None and "" not in learner.titles:
            check_choice("criterion", params.get("criterion"), tuple(learner.titles))

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        if "_forest" not in state:
            return state
        model = self._forest.to_bytes(self._document())
        params = {k: v for k, v in state.items() if not k.endswith("_") and k not in NOT_PICKLED}
        return params | {"_model": model}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = rename_keys(state, self._renamed_params)
        model = state.pop("_model", None)
        super().__setstate__(state)
        if model is not None:
            self._restore(*open_bytes(bytes(model)))


def _is_unset(value: Any, default: Any) -> bool:
    """Return whether a parameter has its default; arrays are never one."""
    return value is None or (not isinstance(value, np.ndarray) and bool(value == default))
