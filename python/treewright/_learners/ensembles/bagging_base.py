"""What both bagging learners share: their parameters, samples, and how learners get them.

Trees of ours become one model: CART's are grown beside each other in the core, the others one after the other. Learners
of other kinds are cloned and fitted to the drawn rows, and kept as they are.

Glossary: a row is *out of the bag* of a learner that has not seen it.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from treewright import _core
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._input.unseen_values import unseen_reported_once
from treewright._learners.ensembles.base_learner import Membered, member
from treewright._learners.ensembles.forest_base import given
from treewright._learners.ensembles.run_params import progress_callback, seed_from
from treewright._learners.ensembles.sampling import Bag, columns_of, copies_of, draws_of
from treewright._learners.trees.cart import CARTClassifier, CARTRegressor
from treewright._learners.trees.cart_recipe import cart_recipe
from treewright._model.table_builder import levels_of
from treewright._pruning.during_fit import plan_of
from treewright._utils.user_warnings import warn_user
from treewright._utils.validation import number, threads_of
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["BagParams", "Bagging"]

Target = ClassTarget | NumberTarget
Weights = NDArray[np.float64] | None
# Trees between which a callback is asked whether to go on, where all threads may be used.
TOGETHER = 8


@dataclass(eq=False, repr=False)
class BagParams:
    """What bagging can be told.

    Parameters
    ----------
    n_estimators : int, default=10
        How many are fitted.
    max_samples : int, float or None, default=None
        How many rows a sample has, or which share of them; None for as many as there are.
    max_features : int or float, default=1.0
        How many columns each learner sees, or which share of them.
    bootstrap : bool, default=True
        Whether rows are drawn with replacement.
    oob_score : bool, default=False
        Whether to answer each training row by the learners that have not seen it, and to score that.
    warm_start : bool, default=False
        Whether another ``fit`` adds learners to those there are.
    n_jobs : int or None, default=None
        The most threads; None for all that the process may use. The model does not depend on it.
    random_state : int, RandomState, Generator or None, default=None
        The seed. None is 0, not chance: the same data give the same model.
    verbose : int or callable, default=0
        Above 0, a line now and then says how many are done; a function is told, as ``verbose(done, total)``.
    """

    estimator: Any = None
    n_estimators: int = 10
    _: KW_ONLY
    max_samples: Any = None
    max_features: Any = 1.0
    bootstrap: bool = True
    oob_score: bool = False
    warm_start: bool = False
    n_jobs: int | None = None
    random_state: Any = None
    verbose: Any = 0


class Bagging(BagParams, Membered):
    """Any learner, fitted to many samples of the rows.

    Attributes
    ----------
    trees_ : Trees
        The trees, where the learners are ours.
    estimators_ : list
        The learners, where they are not ours. No model file can hold them; pickles can.
    estimators_features_ : list of ndarray
        The columns that each of them sees.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table had them.
    """

    _saved_attributes: ClassVar[tuple[str, ...]] = ("oob_score_", "oob_curve_")

    estimators_features_: list[NDArray[np.int64]]
    n_features_in_: int

    def _bag(self, rows: int) -> Bag:
        draws = draws_of(self.max_samples, rows)
        if self.oob_score and not self.bootstrap:
            raise ValueError("Out of bag estimation only available if bootstrap=True")
        sampling = "bootstrap" if self.bootstrap else "subset"
        return {
            "sampling": sampling if self.bootstrap or draws is not None else "all",
            "draws": draws,
            "seed": seed_from(self.random_state),
            "columns": None,
            "cuts": False,
            "balanced": False,
            "given": None,
        }

    # ---- trees of ours

    def _learn(
        self, table: Table, schema: Schema, target: Target, weights: Weights
    ) -> _core.Forest:
        trees = number("n_estimators", self.n_estimators, least=1, whole=True)
        copies = copies_of(weights)
        rows = len(table) if copies is None else int(copies.sum())
        bag = self._bag(rows)
        # A clone: the caller's own learner is not touched.
        base, tell = clone(self._base()), progress_callback(self, trees)
        params = base.get_params(deep=False)
        everything = columns_of(self.max_features, len(table.columns)) == len(table.columns)
        plain = isinstance(base, (CARTClassifier, CARTRegressor)) and plan_of(params) is None
        columns, codes, classes = given(table, target)
        what = (levels_of(schema), columns, codes, classes, weights)
        beside = weights if weights is not None and copies is None else 1.0
        recipe = None
        if plain and everything and params["variant"] == "cart":
            recipe = cart_recipe(params, schema, target, weights)
            recipe["threads"] = threads_of(self.n_jobs)

        def grow(first: int, last: int) -> _core.Forest:
            if recipe is not None:
                return _core.grow_bag(recipe, bag, *what, first, last, tell)
            times = _core.sample_of(bag, *what, first).astype(np.float64)
            grown = self._tree(base, table, schema, target, times * beside, first)
            if tell is not None:
                tell(last)
            return grown

        together = trees if recipe is not None and self._callback() is None else 1
        if recipe is not None and self._callback() is not None:
            together = recipe["threads"] or TOGETHER
        forest = self._grow_all(grow, self._grown(schema, trees), trees, together)
        if self.oob_score:
            says, unseen, curve = _core.out_of_bag(
                forest, bag, columns, codes, classes, weights, threads_of(self.n_jobs)
            )
            self.oob_curve_ = curve
            self._keep_out_of_bag(says, target, unseen > 0)
        return forest

    def _grow_all(
        self, grow: Any, grown: _core.Forest | None, trees: int, together: int
    ) -> _core.Forest:
        """Grow trees until there are enough, or a callback wants no more."""
        forests = [] if grown is None else [grown]
        done = 0 if grown is None else grown.n_trees
        while done < trees:
            first, done = done, min(done + together, trees)
            forests.append(grow(first, done))
            if self._is_over(done, trees):
                break
        return _core.Forest.joined(forests)

    def _is_over(self, done: int, total: int) -> bool:
        """Tell a callback how many there are; return whether it wants no more."""
        callback = self._callback()
        return callback is not None and callback(done, total) is True

    def _tree(
        self,
        base: Any,
        table: Table,
        schema: Schema,
        target: Target,
        weights: NDArray[np.float64],
        turn: int,
    ) -> _core.Forest:
        """Grow one tree, perhaps of some columns only."""
        places = self._drawn_columns(len(table.columns), turn)
        if places is None:
            grown: _core.Forest = base._learn(table, schema, target, weights)
            return grown
        some = Table([table.series[i] for i in places])
        narrow: _core.Forest = base._learn(some, base._describe(some, target), target, weights)
        return _widened(narrow, np.array(places), levels_of(schema))

    def _drawn_columns(self, columns: int, turn: int) -> list[int] | None:
        """Return the columns of a learner, ascending; None for all."""
        count = columns_of(self.max_features, columns)
        if count == columns:
            return None
        seed = [seed_from(self.random_state) % 2**64, 2**63 + turn]
        draw = np.random.Generator(np.random.Philox(key=seed))
        return sorted(draw.permutation(columns)[:count].tolist())

    # ---- learners of other kinds

    def _fit_members(self, X: Any, answers: NDArray[Any], sample_weight: Any) -> list[Any]:
        rows = len(answers)
        bag, base = self._bag(rows), self._base()
        if len(answers) != X.shape[0]:
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"the table has {X.shape[0]} rows, the target {len(answers)}"
            )
        weights = weights_of(sample_weight, rows)
        count = number("n_estimators", self.n_estimators, least=1, whole=True)
        tell = progress_callback(self, count)
        places = np.arange(rows, dtype=np.float64)
        members, self._seen = self._fitted_before(count), list[Any]()
        if not members:
            self.estimators_features_ = []
        for i in range(count):
            times = _core.sample_of(bag, [None], [places], places, None, None, i)
            if i < len(members):
                self._seen.append(times > 0)
                continue
            drawn = np.repeat(np.arange(rows), times)
            columns = self._drawn_columns(self.n_features_in_, i)
            self.estimators_features_.append(np.array(columns or range(self.n_features_in_)))
            part = _safe_indexing(_narrow(X, columns), drawn)
            more = {} if weights is None else {"sample_weight": weights[drawn]}
            members.append(member(base, bag["seed"] + i).fit(part, answers[drawn], **more))
            self._seen.append(times > 0)
            if tell is not None:
                tell(i + 1)
            if self._is_over(i + 1, count):
                break
        return members

    def _each(self, members: list[Any], X: Any) -> Any:
        """Give each member with the columns that it reads."""
        for one, columns in zip(members, self.estimators_features_, strict=True):
            everything = len(columns) == self.n_features_in_
            yield one, _narrow(X, None if everything else columns.tolist())

    def _answer_out_of_bag(self, members: list[Any], X: Any, target: Target, outputs: int) -> None:
        if self.oob_score:
            sums, counts = np.zeros((len(target), outputs)), np.zeros(len(target))
            for (one, part), seen in zip(self._each(members, X), self._seen, strict=True):
                sums[~seen] += self._says(one, _safe_indexing(part, np.flatnonzero(~seen)))
                counts += ~seen
            answered = counts > 0
            says = np.full_like(sums, np.nan)
            says[answered] = sums[answered] / counts[answered, None]
            self._keep_out_of_bag(says, target, answered)
        del self._seen

    def _says(self, one: Any, X: Any) -> NDArray[np.float64]:
        raise TypeError(f"{type(self).__name__} does not answer")

    def _mean(self, members: list[Any], X: Any) -> NDArray[np.float64]:
        with unseen_reported_once():
            says = [self._says(one, part) for one, part in self._each(members, X)]
        return np.asarray(np.sum(says, axis=0) / len(says))

    def _keep_out_of_bag(self, says: Any, target: Any, answered: NDArray[np.bool_]) -> None:
        if not answered.all():
            warn_user(
                "Some inputs do not have OOB scores. This probably means too few estimators were used "
                "to compute any reliable oob estimates."
            )


def _narrow(X: Any, columns: list[int] | None) -> Any:
    """Return some columns of a table of another kind; None for all."""
    return X if columns is None else _safe_indexing(X, columns, axis=1)


def _widened(
    forest: _core.Forest, places: NDArray[np.int64], levels: list[int | None]
) -> _core.Forest:
    """Return trees of some columns as trees of all of them."""
    tables = []
    for i in range(forest.n_trees):
        tree = forest.tree(i)
        if tree.spares() is not None:
            raise UsageError(
                "surrogates and max_features exclude each other", slug="usage.parameter"
            )
        names = "first_child n_children threshold route_start missing weight count cost gain route"
        table = {name: np.asarray(getattr(tree, name)) for name in names.split()}
        asked = np.where(tree.n_children > 0, places[tree.feature], 0).astype(np.uint32)
        tables.append(table | {"feature": asked, "value": np.asarray(tree.value).ravel()})
    return _core.Forest.from_tables(levels, forest.tree(0).n_outputs, tables)
