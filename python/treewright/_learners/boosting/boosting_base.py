"""Gradient boosting: fits, predictions and files that classifier and regressor share.

Not here: parameters (``gradient_boosting``), their meaning for the core (``boosting_recipe``), training and validation
rows (``training_rows``), where the sums start (``init_model``), the rounds (``boosting_rounds``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._estimator.model import Model
from treewright._estimator.training_data import TrainingData
from treewright._estimator.tree_model import TreeModel
from treewright._estimator.unfitted import describe_estimator, restore_estimator
from treewright._input.class_weights import weigh_rows
from treewright._input.encoding import encode, one_row
from treewright._input.target import ClassTarget
from treewright._learners.boosting.boosting_recipe import boost_recipe, count_sums
from treewright._learners.boosting.boosting_rounds import (
    Round,
    join_forests,
    list_callbacks,
    run_rounds,
    start_run,
    warn_if_no_splits,
)
from treewright._learners.boosting.evaluation_sets import (
    evaluation_sets,
    results_from_json,
    results_to_json,
)
from treewright._learners.boosting.init_model import ExternalInit, InitialSums, initial_sums
from treewright._learners.boosting.interaction_constraints import as_lists
from treewright._learners.boosting.training_rows import (
    FitArguments,
    choose_validation_rows,
    core_rows,
)
from treewright._learners.ensembles.fitted_trees import fit_trees
from treewright._learners.ensembles.warm_start import check_count, check_same_schema
from treewright._learners.trees.cart import CARTRegressor
from treewright._model.table_builder import TreeBuilder
from treewright._model.trees import Trees, importances
from treewright._utils.random_state import seed_from
from treewright._utils.validation import check_integer, threads_of
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["Boosting"]

Numbers = NDArray[np.float64]


class Boosting(TreeModel):
    """A sum of trees, each fitted to the gradients of the loss.

    With an external ``init`` the trees are in ``_round_forest`` instead of ``_forest``, because they alone are no
    model: views, exports and files must not take them for one.
    """

    _saved_attributes: ClassVar[tuple[str, ...]] = (
        "n_estimators_",
        "n_init_trees_",
        "train_score_",
        "validation_score_",
    )

    _later_params: ClassVar[dict[str, Any]] = {"power": 1.5, "interaction_constraints": None}

    init: Any
    init_: Any
    max_depth: int | None
    max_leaf_nodes: int | None
    early_stopping: bool
    n_estimators_: int
    n_init_trees_: int

    # Whether a fit reads only the stored numbers of a sparse matrix: exact splits need all of them.
    _learns_sparse = property(lambda self: self.get_params(deep=False)["splits"] == "histogram")
    evals_result_: dict[str, dict[str, list[float]]]

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        eval_set: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        callback: Callable[[Round], Any] | Sequence[Callable[[Round], Any]] | None = None,
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
        eval_set : tuple, list of tuples or dict of tuples, optional
            Evaluation sets: rows and their target as ``(X, y)``, or with weights ``(X, y, sample_weight)``. The model
            does not learn from them. Their losses after each round are in ``evals_result_``. With
            ``early_stopping=True`` the loss of the last set decides when the fit ends.
        X_val, y_val : table and array-like, optional
            A single evaluation set, as scikit-learn passes it.
        sample_weight_val : array-like, optional
            Its weights.
        callback : callable or list of callables, optional
            Called with a `Round` after each round; if one returns True, the fit ends.

        Returns
        -------
        self
            The fitted estimator.
        """
        rows = None if sample_weight is None else np.flatnonzero(np.asarray(sample_weight))
        sets = evaluation_sets(eval_set, X_val, y_val, sample_weight_val)
        self._arguments = FitArguments(X, y, rows, sets, list_callbacks(callback))
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self.__dict__.pop("_arguments", None)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        super()._fit(X, y, sample_weight)
        if self._external_init() is not None:
            self._round_forest = self.__dict__.pop("_forest")

    def _learn(
        self, table: Table, schema: Schema, target: Any, weights: Numbers | None
    ) -> _core.Forest:
        params = self.get_params(deep=False)
        seed = seed_from(params["random_state"])  # once: a generator gives another seed each time
        recipe = boost_recipe(params, schema, target, seed)
        total = check_integer("n_estimators", params["n_estimators"], minimum=1)
        if isinstance(target, ClassTarget):
            if len(target.levels) == 1:
                return self._fit_single_class(table, schema)
            weights = weigh_rows(params["class_weight"], target, weights)
        data = TrainingData(table, schema, target, weights)
        arguments: FitArguments = self.__dict__.get("_arguments", FitArguments())
        held = None
        if params["early_stopping"] and not arguments.eval_sets:
            held = choose_validation_rows(data, params["validation_fraction"], seed)
        rows = core_rows(self, arguments, data, held, recipe["loss"])
        earlier = self._earlier_rounds(schema, total) if params["warm_start"] else None
        done = 0 if earlier is None else self.n_estimators_
        if earlier is None:
            start = initial_sums(self.init, recipe, data, arguments, held)
            self._store_init(start)
        elif done == total:
            return earlier
        else:
            start = InitialSums(earlier.combine["base"], earlier, self._external_init())
        run = start_run(recipe, schema, rows, start, arguments, done)
        run_rounds(run, done, total, params["verbose"], arguments)
        self._store_scores(run.losses, earlier is not None, arguments)
        forest = run.finish()
        self.n_estimators_ = done + forest.n_trees // count_sums(recipe)
        warn_if_no_splits(forest, recipe["min_leaf"], len(table))
        return forest if start.trees is None else join_forests(start.trees, forest)

    def _fit_single_class(self, table: Table, schema: Schema) -> _core.Forest:
        tree = TreeBuilder()
        tree.push(np.ones(1), float(len(table)), len(table), 0.0)
        self.n_estimators_ = 1
        self._store_init(InitialSums())
        return tree.forest(schema)

    def _earlier_rounds(self, schema: Schema, total: int) -> _core.Forest | None:
        """Return the trees of the previous fit that a warm start continues."""
        if not self.__sklearn_is_fitted__() or "schema_" not in self.__dict__:
            return None
        check_same_schema(self, schema)
        check_count(self.n_estimators_, total)
        return self._stage_forest()

    def _store_init(self, start: InitialSums) -> None:
        for name in ("init_", "_external", "_round_forest", "n_init_trees_"):
            self.__dict__.pop(name, None)
        if start.trees is not None:
            self.n_init_trees_ = start.trees.n_trees
        if start.external is not None:
            self._external, self.init_ = start.external, start.external.estimator

    def _store_scores(
        self, losses: list[list[float]], is_continued: bool, arguments: FitArguments
    ) -> None:
        train, *of_sets = np.array(losses).T
        earlier_results = self.__dict__.pop("evals_result_", {}) if is_continued else {}
        if arguments.eval_sets:
            loss, self.evals_result_ = str(self.get_params(deep=False)["loss"]), {}
            for each, values in zip(arguments.eval_sets, of_sets, strict=False):
                before = earlier_results.get(each.name, {}).get(loss, [])
                self.evals_result_[each.name] = {loss: [*before, *values[1:].tolist()]}
        scores = {"train_score_": train, "validation_score_": of_sets[-1]}
        for name, values in scores.items():
            earlier = self.__dict__.get(name) if is_continued else None
            if np.isnan(values).all():
                self.__dict__.pop(name, None)
            else:
                parts = [values] if earlier is None else [earlier, values[1:]]
                self.__dict__[name] = np.concatenate(parts)

    @property
    def best_iteration_(self) -> int:
        """Round with the smallest loss of the validation rows; a model that stops early ends there."""
        scores = self._validation_scores()
        return self.n_estimators_ if self.early_stopping else int(scores[1:].argmin()) + 1

    @property
    def best_score_(self) -> float:
        """Smallest mean loss of the validation rows after any round."""
        return float(self._validation_scores()[1:].min())

    def _validation_scores(self) -> Numbers:
        if "validation_score_" not in self.__dict__:
            raise AttributeError(
                "the model was fitted without validation rows: pass eval_set to fit"
            )
        scores: Numbers = self.__dict__["validation_score_"]
        return scores

    def _external_init(self) -> ExternalInit | None:
        return self.__dict__.get("_external")

    def __sklearn_is_fitted__(self) -> bool:
        return "_forest" in self.__dict__ or "_round_forest" in self.__dict__

    # ---- predicting

    def _predict_values(self, X: Any) -> Numbers:
        external = self._external_init()
        return super()._predict_values(X) if external is None else self._add_trees(X, raw=False)

    def _predict_sums(self, X: Any) -> Numbers:
        external = self._external_init()
        return super()._predict_sums(X) if external is None else self._add_trees(X, raw=True)

    def _add_trees(self, X: Any, raw: bool) -> Numbers:
        """Return what a model with an external ``init`` predicts."""
        columns, forest = self._encode(X), self._stage_forest()
        sums = self._initial_sums(X, columns, forest)
        threads = threads_of(self.__dict__.get("n_jobs"))
        sums = forest.gather(columns, 0, forest.n_trees, sums, threads)
        return forest.finish(sums, 0, forest.n_trees, raw)

    def _predict_row(self, row: Any) -> list[float]:
        external = self._external_init()
        if external is None:
            return super()._predict_row(row)
        columns = encode(one_row(row, self.schema_), self.schema_)
        if isinstance(row, Mapping):
            raise UsageError(
                "predict_one needs an array if init is not a tree of treewright",
                slug="usage.parameter",
                hints=["predict takes a table with one row"],
            )
        forest = self._stage_forest()
        sums = np.array(forest.combine["base"]) + external.sums(np.asarray(row)[None, :])
        sums = forest.gather(columns, 0, forest.n_trees, np.ascontiguousarray(sums), 1)
        values: list[float] = forest.finish(sums, 0, forest.n_trees, False)[0].tolist()
        return values

    def _stage_forest(self) -> _core.Forest:
        check_is_fitted(self)
        has_external = self._external_init() is not None
        return self._round_forest if has_external else self._forest

    def _initial_sums(self, X: Any, columns: Any, forest: _core.Forest) -> Numbers | None:
        external, n_trees, sums = self._external_init(), self._n_initial_trees(), None
        if external is not None:
            sums = np.ascontiguousarray(np.array(forest.combine["base"]) + external.sums(X))
        return forest.gather(columns, 0, n_trees, sums, 1) if n_trees else sums

    def _n_initial_trees(self) -> int:
        return int(self.__dict__.get("n_init_trees_", 0))

    def _used_columns(self) -> tuple[str, ...]:
        has_external = self._external_init() is not None
        return self.schema_.names if has_external else super()._used_columns()

    @property
    def trees_(self) -> Trees:
        """The trees, in the order in which they were grown; those of ``init`` first."""
        if self._external_init() is not None:
            raise AttributeError(
                f"the sums of this model start with a {type(self.init_).__name__}, which is not a tree"
            )
        return super().trees_

    @property
    def estimators_(self) -> NDArray[Any]:
        """The trees of the rounds as fitted CART models: (rounds, 1), or (rounds, classes) for more than two."""
        estimators = self._fitted_trees()
        table = np.empty(len(estimators), dtype=object)
        table[:] = estimators
        columns = max(1, len(table) // max(1, int(self.n_estimators_)))
        return table[: len(table) // columns * columns].reshape(-1, columns)

    def _make_estimators(self) -> list[Any]:
        trees = Trees(self._stage_forest(), self._schema_with_notes())
        base = CARTRegressor(max_depth=self.max_depth, max_leaf_nodes=self.max_leaf_nodes)
        return fit_trees(self, base, trees, self._n_initial_trees())

    @property
    def feature_importances_(self) -> Numbers:
        """Importance of each column: its fraction of the loss decrease over all rounds."""
        return importances(self._stage_forest(), self._n_initial_trees())

    # ---- files and pickles

    def _document(self) -> str:
        external = self._external_init()
        if external is not None:
            raise UsageError(
                f"cannot save a model whose init is a {type(external.estimator).__name__}: model files store only "
                "treewright trees",
                slug="usage.model",
                hints=["use pickle instead, or a tree of treewright as init"],
            )
        return super()._document()

    def _saved_params(self) -> dict[str, Any]:
        params = super()._saved_params()
        # An estimator is described separately, with its own parameters.
        params |= {"init": None} if hasattr(self.init, "fit") else {}
        if "interaction_constraints" in params:
            params["interaction_constraints"] = as_lists(params["interaction_constraints"])
        return params

    def _extra_metadata(self) -> dict[str, Any]:
        more = super()._extra_metadata()
        if isinstance(self.init, Model):
            more |= {"member": describe_estimator(self.init)}
        if "evals_result_" in self.__dict__:
            more["kept"]["evals_result_"] = results_to_json(self.evals_result_)
        return more

    def _restore(self, metadata: Mapping[str, Any], contents: Any) -> None:
        kept = dict(metadata.get("kept", {}))
        results = kept.pop("evals_result_", None)
        super()._restore({**metadata, "kept": kept}, contents)
        if "member" in metadata:
            self.init = restore_estimator(metadata["member"])
        if results is not None:
            self.evals_result_ = results_from_json(results)

    def _check_restored(self) -> None:
        super()._check_restored()
        if "n_estimators_" not in self.__dict__:
            raise ValueError("the number of its rounds is missing")
        for name in ("n_estimators_", "n_init_trees_"):
            count = self.__dict__.get(name, 0)
            if not isinstance(count, int) or not 0 <= count <= self._forest.n_trees:
                raise ValueError(f"{name} is not a number of its trees")

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        if "_round_forest" in state:
            state = state | {"_round_forest": self._round_forest.to_bytes(super()._document())}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        names = {"_beside": "_external", "_rounds": "_round_forest"}  # of early versions
        super().__setstate__({names.get(name, name): value for name, value in state.items()})
        forest = self.__dict__.get("_round_forest")
        if isinstance(forest, bytes):
            self._round_forest = _core.Forest.from_bytes(forest)[0]
