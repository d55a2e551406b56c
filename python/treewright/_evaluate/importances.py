"""Which columns matter: to one answer (Shapley values), and to all of them (permutations).

What the questions about a column save, the impurity importance, is an attribute of every fitted tree model:
``feature_importances_``.

Glossary: the *Shapley values* of a row divide what the model says of it, less what it says where nothing is known,
among the columns. Where a column is not known, a tree divides the row among the children of a node by their training
weight. The *raw* numbers of a model are those before its link, such as log-odds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._estimator.model import Classifier, Model
from treewright._estimator.tree_model import TreeModel
from treewright._input.checks import read_rows
from treewright._input.target import weights_of
from treewright._utils.validation import check_integer, threads_of
from treewright.errors import UsageError
from treewright.table import Table

__all__ = ["PermutationImportance", "ShapValues", "permutation_importance", "shap_values"]

Numbers = NDArray[np.float64]


class ShapValues(NamedTuple):
    """What each column contributes to what a model says of each row.

    Parameters
    ----------
    values : ndarray of shape (rows, columns) or (rows, columns, classes)
        The contributions; with a number for each class, in the order of ``classes_``.
    expected : float or ndarray of shape (classes,)
        What the model says where no column is known: contributions and this add up to the raw answer.
    """

    values: Numbers
    expected: Any


def shap_values(model: Any, X: Any) -> ShapValues:
    """Return the exact path-dependent Shapley values of every row, for any model of trees.

    They explain the raw numbers: for a tree or a forest the shares or the mean, for boosting the sums before the link
    (for two classes the log-odds of the second), for votes the decision. For each row they add up to the raw answer
    less the expected one.

    Parameters
    ----------
    model : fitted estimator
        A tree or a model of many trees of this package.
    X : table
        The rows.

    Returns
    -------
    ShapValues
        ``values`` and ``expected``.

    Examples
    --------
    >>> from treewright import CARTClassifier, datasets, shap_values
    >>> X, y = datasets.golf()
    >>> clf = CARTClassifier().fit(X, y)
    >>> values, expected = shap_values(clf, X[:1])
    >>> values.shape
    (1, 4, 2)
    >>> bool(abs(values[0].sum(axis=0) + expected - clf.predict_proba(X[:1])[0]).max() < 1e-12)
    True
    """
    forest = _forest_of(model)
    columns = model._encode(X)
    values, expected = forest.contributions(columns, threads_of(getattr(model, "n_jobs", None)))
    if forest.n_raw == 1:
        sign = -1.0 if isinstance(model, Classifier) and model._order[0] != 0 else 1.0
        return ShapValues(sign * values[:, :, 0], sign * float(expected[0]))
    if isinstance(model, Classifier):
        order = np.argsort(model._order)
        values, expected = values[:, :, order], expected[order]
    return ShapValues(values, expected)


def _forest_of(model: Any) -> _core.Forest:
    """Return the trees of a fitted model whose answers are sums of theirs; refuse any other."""
    if isinstance(model, Model):
        check_is_fitted(model)
        forest: Any = getattr(model, "_forest", None)
        if (
            isinstance(model, TreeModel)
            and isinstance(forest, _core.Forest)
            and forest.combine["how"] != "median"
        ):
            return forest
    raise UsageError(
        f"the answers of a {type(model).__name__} are not sums of what trees say",
        slug="shap.no-sum",
        hints=["shap_values takes trees, forests, boosting and votes of treewright"],
    )


@dataclass(frozen=True, slots=True, repr=False)
class PermutationImportance:
    """What a model loses when the values of a column change places among the rows.

    Parameters
    ----------
    columns : tuple of str
        The columns.
    losses : ndarray of shape (columns, repeats)
        The score of the model less the score with the column permuted.
    score : float
        The score of the model.
    """

    columns: tuple[str, ...]
    losses: Numbers
    score: float

    @property
    def mean(self) -> Numbers:
        """The mean loss of each column."""
        return np.asarray(self.losses.mean(axis=1))

    @property
    def std(self) -> Numbers:
        """The standard deviation of the losses of each column."""
        return np.asarray(self.losses.std(axis=1))

    def __repr__(self) -> str:
        order = np.argsort(-self.mean, kind="stable")
        width = max(map(len, self.columns), default=0)
        lines = [
            f"{self.columns[i]:<{width}}  {self.mean[i]:+.4f} ± {self.std[i]:.4f}" for i in order
        ]
        return "\n".join(
            [f"score {self.score:.4f}; drop in score when a column is shuffled:", *lines]
        )


def permutation_importance(
    model: Any,
    X: Any,
    y: Any,
    *,
    n_repeats: int = 5,
    seed: int = 0,
    scoring: Callable[[Any, Any, Any], float] | None = None,
    sample_weight: Any = None,
) -> PermutationImportance:
    """Measure how much a model's score falls when the values of one column change places among the rows.

    Unlike what questions save, this can be measured on rows that the model has not seen, and it works for every
    estimator of this package, with categories and missing values as they are.

    Parameters
    ----------
    model : fitted estimator
        A model of this package.
    X, y : table, array-like
        Rows and their target, better not those of the fit.
    n_repeats : int, default=5
        How often each column is permuted.
    seed : int, default=0
        Where the permutations begin.
    scoring : callable, default=None
        Takes the model, a table and y, and returns a number, the greater the better. ``model.score`` where not given:
        the share of right answers, or R².
    sample_weight : array-like, optional
        Weights of the rows, for ``model.score``.

    Returns
    -------
    PermutationImportance
        The losses of each column; ``mean`` and ``std`` of them.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, permutation_importance
    >>> X, y = datasets.play_tennis()
    >>> found = permutation_importance(ID3Classifier().fit(X, y), X, y)
    >>> found.columns[int(found.mean.argmin())], float(found.mean.min())
    ('Temperature', 0.0)
    """
    if not isinstance(model, Model):
        raise TypeError(f"expected a fitted model of treewright, got {type(model).__name__}")
    check_is_fitted(model)
    repeats = int(check_integer("n_repeats", n_repeats, minimum=1))
    start = int(check_integer("seed", seed, minimum=0))
    table = Table(read_rows(model, X, model.schema_).series)
    weights = weights_of(sample_weight, len(table))

    def score(rows: Table) -> float:
        if scoring is not None:
            return float(scoring(model, rows, y))
        return float(getattr(model, "score")(rows, y, weights))  # noqa: B009

    whole = score(table)
    losses = np.empty((len(table.columns), repeats))
    for column in range(len(table.columns)):
        for repeat in range(repeats):
            order = np.random.default_rng([start, column, repeat]).permutation(len(table))
            series = list(table.series)
            series[column] = table[order].series[column]
            losses[column, repeat] = whole - score(Table(series))
    return PermutationImportance(tuple(table.columns), losses, whole)
