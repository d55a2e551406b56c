"""Where the sums of boosting begin: at a constant, or at what another learner answers.

A learner of treewright whose answers are sums of what trees say gives its trees to the model, as its first terms. Any
other learner is fitted and kept *apart*: its answers are asked for whenever the model answers.

Not here: the constant that costs least, which the core finds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from treewright import _core
from treewright._estimator.model import Model
from treewright._input.target import ClassTarget, NumberTarget
from treewright._learners.boosting.boosting_recipe import base_of
from treewright._model.table_builder import levels_of
from treewright.errors import UsageError
from treewright.schema import Schema
from treewright.table import Table

__all__ = ["Apart", "Start", "begin", "terms_of"]

Numbers = NDArray[np.float64]
Target = ClassTarget | NumberTarget

# As in scikit-learn: shares are kept this far from 0 and 1 before they become logarithms of odds.
LEAST = float(np.finfo(np.float32).eps)
COLUMNS = (
    "first_child n_children feature threshold route_start missing weight count cost gain route"
)


@dataclass(frozen=True, slots=True)
class Apart:
    """A fitted learner that no tree of the model stands for."""

    learner: Any
    link: str
    levels: tuple[Any, ...]

    def scores(self, X: Any) -> Numbers:
        """Return the scores that its answers stand for: a row each, a column for each sum."""
        if not self.levels:
            return scores_of(
                np.asarray(self.learner.predict(X), dtype=np.float64)[:, None], self.link
            )
        shares = np.asarray(self.learner.predict_proba(X), dtype=np.float64)
        places = [list(self.learner.classes_).index(level) for level in self.levels]
        return scores_of(shares[:, places], self.link)


@dataclass(frozen=True, slots=True)
class Start:
    """Where a run begins.

    Parameters
    ----------
    base : list of float or None
        The constant; None for the one that costs least.
    terms : Forest or None
        Trees that are the first terms of the sums.
    apart : Apart or None
        A learner whose scores are added to them.
    """

    base: list[float] | None = None
    terms: _core.Forest | None = None
    apart: Apart | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """The training rows, as the core reads them and as the caller gave them."""

    table: Table
    schema: Schema
    target: Target
    weights: Numbers | None
    X: Any
    y: Any
    # Which rows of X are in the table, None for all; and which of them are held out.
    rows: NDArray[np.int64] | None
    held: NDArray[np.bool_] | None


def begin(init: Any, loss: str, sums: int, given: Given) -> Start:
    """Return where the sums begin."""
    if not hasattr(init, "fit") or isinstance(init, type):
        return Start(base_of(init, sums))
    needed = "predict_proba" if given.schema.classes else "predict"
    if not hasattr(init, needed):
        raise UsageError(
            f"init must be a learner with {needed}; got {type(init).__name__}",
            slug="usage.parameter",
        )
    terms = _grown(init, loss, given)
    if terms is not None:
        return Start(list(terms.combine["base"]), terms)
    return Start([0.0] * sums, None, _fitted(init, loss, given))


def _grown(init: Any, loss: str, given: Given) -> _core.Forest | None:
    """Return the trees of a learner of ours that reads the same table; None where they are not terms of sums."""
    if not isinstance(init, Model):
        return None
    table, schema, target = given.table, given.schema, given.target
    one: Any = clone(init)
    if one._prepare(table) is not table or one._describe(table, target) != schema:
        return None
    weights = given.weights
    if given.held is not None:
        weights = (np.ones(len(table)) if weights is None else weights) * ~given.held
    if weights is not None and not weights.all():
        present = weights > 0
        table, target, weights = table[present], target.take(present), weights[present]
    try:
        forest = one._learn(table, schema, target, weights)
    except _NoRowsError:  # its own start needs the rows as they were given
        return None
    return terms_of(forest, loss, schema) if isinstance(forest, _core.Forest) else None


class _NoRowsError(Exception):
    """The rows are not there as they were given."""


def _fitted(init: Any, loss: str, given: Given) -> Apart:
    if given.X is None:
        raise _NoRowsError
    rows = np.arange(len(given.table)) if given.rows is None else given.rows
    rows = rows if given.held is None else rows[~given.held]
    weights = {}
    if given.weights is not None:
        if not has_fit_parameter(init, "sample_weight"):
            raise ValueError(
                f"The initial estimator {type(init).__name__} does not support sample weights."
            )
        weights["sample_weight"] = (
            given.weights if given.held is None else given.weights[~given.held]
        )
    X, y = _safe_indexing(given.X, rows), _safe_indexing(given.y, rows)
    return Apart(clone(init).fit(X, y, **weights), loss, tuple(given.schema.classes))


def scores_of(says: Numbers, link: str) -> Numbers:
    """Return the scores that numbers or shares of classes stand for under a loss.

    Examples
    --------
    >>> scores_of(np.array([[0.25, 0.75]]), "logistic").round(3).tolist()
    [[1.099]]
    """
    if link == "logistic":
        share = says[:, 1:].clip(LEAST, 1 - LEAST)
        return np.asarray(np.log(share / (1 - share)))
    if link == "softmax":
        logs = np.log(says.clip(LEAST, 1 - LEAST))
        return np.asarray(logs - logs.mean(axis=1, keepdims=True))
    return np.asarray(np.log(says.clip(LEAST))) if link == "poisson" else says


def terms_of(forest: _core.Forest, loss: str, schema: Schema) -> _core.Forest | None:
    """Return a model's trees as terms of the sums of a loss; None where its answers are no such sums."""
    combine = forest.combine
    if combine["link"] != "identity" or combine["how"] not in ("mean", "sum"):
        return None
    if loss not in ("logistic", "softmax", "poisson"):
        scales = np.array(combine["scales"] or [1.0] * forest.n_trees)
        if combine["how"] == "mean":
            scales = scales / scales.sum()
        how = _sum(scales.tolist(), [0] * forest.n_trees, list(combine["base"] or [0.0]), loss)
        return _core.Forest.joined([forest], how)
    tree = forest.tree(0)
    divides = bool((np.asarray(tree.missing) == _core.SHARE).any())
    if forest.n_trees > 1 or combine["how"] == "sum" or divides or tree.spares() is not None:
        return None
    # Each node says the scores that its answer stands for: a tree for each sum.
    table = {name: np.asarray(getattr(tree, name)) for name in COLUMNS.split()}
    scores = scores_of(np.asarray(tree.value), loss)
    sums = scores.shape[1]
    trees = [table | {"value": np.ascontiguousarray(scores[:, k])} for k in range(sums)]
    how = _sum([1.0] * sums, list(range(sums)), [0.0] * sums, loss)
    return _core.Forest.from_tables(levels_of(schema), 1, trees, how)


def _sum(scales: list[float], targets: list[int], base: list[float], loss: str) -> dict[str, Any]:
    link = {"logistic": "logistic", "softmax": "softmax", "poisson": "exp"}.get(loss, "identity")
    return {"how": "sum", "link": link, "scales": scales, "base": base, "targets": targets}
