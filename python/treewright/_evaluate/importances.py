"""Which columns matter: for one prediction (Shapley values) and for a score (permutation importance).

The third kind, the impurity-based importance, is an attribute of every fitted tree model: ``feature_importances_``.

Glossary: the *Shapley values* of a row distribute the difference between its prediction and the average prediction
over the columns. Where a column is unknown, a tree splits the row fractionally among the children of a node, by their
training weight. The *raw* output of a model is the number before its link function, such as log-odds.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._estimator.classifier import Classifier
from treewright._estimator.find import column_names, transform_rows, unwrap
from treewright._estimator.model import Model
from treewright._estimator.tree_model import TreeModel
from treewright._input.checks import read_rows
from treewright._input.containers import as_table
from treewright._input.target import weights_of
from treewright._render.document import Column, Document, Note, Table
from treewright._render.numbers import plural
from treewright._render.page_format import PageFormat
from treewright._render.result import Result
from treewright._utils.random_state import check_seed
from treewright._utils.renamed import renamed_parameters
from treewright._utils.validation import check_integer, threads_of
from treewright.errors import DataError, UnseenValuesWarning, UsageError
from treewright.schema import Level, label
from treewright.table import Table as Rows

__all__ = ["PermutationImportance", "ShapValues", "permutation_importance", "shap_values"]

Numbers = NDArray[np.float64]


class _ShapPair(NamedTuple):
    values: Numbers
    expected: Any


class ShapValues(Result, _ShapPair):
    """The contribution of each column to the prediction for each row: a pair ``values, expected`` with names.

    Parameters
    ----------
    values : ndarray of shape (rows, columns) or (rows, columns, classes)
        The contributions; with one number for each class, in the order of ``classes_``.
    expected : float or ndarray of shape (classes,)
        The average prediction, where no column is known. It and the contributions add up to the raw output.
    columns : tuple of str, default=()
        The names of the columns.
    classes : tuple, default=()
        The classes of the last axis of ``values``.

    Examples
    --------
    >>> from treewright import CARTClassifier, datasets, shap_values
    >>> X, y = datasets.golf()
    >>> shap_values(CARTClassifier().fit(X, y), X).columns
    ('outlook', 'temperature', 'humidity', 'windy')
    """

    _noun = "a table of SHAP values"
    columns: tuple[str, ...]
    classes: tuple[Level, ...]

    def __new__(
        cls,
        values: Numbers,
        expected: Any,
        columns: tuple[str, ...] = (),
        classes: tuple[Level, ...] = (),
    ) -> ShapValues:
        """Make the pair; the names are attributes beside it."""
        self = super().__new__(cls, values, expected)
        self.columns = columns or tuple(map(str, range(values.shape[1])))
        self.classes = classes
        return self

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "columns": list(self.columns),
            "classes": list(self.classes),
            "expected": np.asarray(self.expected).tolist(),
            "values": self.values.tolist(),
        }

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each row, with the contribution of each column (and class)."""
        return [dict(zip(self._heads(), row.ravel().tolist(), strict=True)) for row in self.values]

    @property
    def feature_names(self) -> list[str]:
        """The names of the columns, by the name of the shap package."""
        return list(self.columns)

    def to_explanation(self, X: Any = None) -> Any:
        """Return the values as a ``shap.Explanation``, for the plots of the shap package, which must be installed.

        Parameters
        ----------
        X : table, optional
            The rows, for plots that show or color values. Categories become the numbers 0, 1, ... in their order.

        Returns
        -------
        shap.Explanation
            With ``values``, ``base_values``, ``feature_names``, and with X also ``data`` and ``display_data``.
        """
        try:
            from shap import Explanation  # type: ignore[import-untyped]
        except ImportError:
            raise UsageError(
                "this needs the package shap, which is not installed",
                slug="shap.not-installed",
                hints=["pip install shap"],
            ) from None
        base = np.broadcast_to(self.expected, (len(self.values), *self.values.shape[2:])).copy()
        data, labels = (None, None) if X is None else _rows_for_plots(X, len(self.columns))
        return Explanation(
            self.values,
            base_values=base,
            data=data,
            display_data=labels,
            feature_names=self.feature_names,
            output_names=[label(c) for c in self.classes] or None,
        )

    def _heads(self) -> list[str]:
        if self.values.ndim == 2:
            return list(self.columns)
        return [f"{column}: {label(c)}" for column in self.columns for c in self.classes]

    def _document(self, page: PageFormat) -> Document:
        sizes = np.abs(self.values).mean(axis=0).reshape(len(self.columns), -1)
        order = np.argsort(-sizes.sum(axis=1), kind="stable")[: page.lines].tolist()
        heads = [page.level(c) for c in self.classes] or ["mean |SHAP|"]
        expected = np.atleast_1d(self.expected).tolist()
        table = Table(
            (
                Column("column", (*(page.name(self.columns[i]) for i in order),), left=True),
                *(
                    Column(head, tuple(f"{sizes[i, k]:.4g}" for i in order))
                    for k, head in enumerate(heads)
                ),
            )
        )
        averages = ", ".join(
            f"{f'{head} ' if self.classes else ''}{value:.4g}"
            for head, value in zip(heads, expected, strict=True)
        )
        notes = [Note(f"average prediction: {averages}")]
        left_out = len(self.columns) - len(order)
        if left_out:
            notes.insert(0, Note(f"… {plural(left_out, 'more column')}"))
        title = f"SHAP values of {plural(len(self.values), 'row')}: mean absolute contribution"
        return Document((title,), (table, *notes), compact=True)


def _rows_for_plots(X: Any, n_columns: int) -> tuple[Numbers, NDArray[Any]]:
    """Return rows as numbers, categories by their place, and as they are."""
    table = as_table(X)
    if table.shape[1] != n_columns:
        raise DataError(
            f"X has {table.shape[1]} columns, the SHAP values {n_columns}",
            slug="data.columns",
            hints=["of a pipeline, pass the rows that its last step reads"],
        )
    numbers, labels = np.empty(table.shape), np.empty(table.shape, dtype=object)
    for i, series in enumerate(table.series):
        numbers[:, i] = np.where(series.missing(), np.nan, series.data)
        labels[:, i] = series.values()
    return numbers, labels


def shap_values(model: Any, X: Any) -> ShapValues:
    """Return the exact path-dependent Shapley values of every row, for a tree or an ensemble of trees.

    They explain the raw output: for a tree or a forest the class probabilities or the mean, for boosting the sum
    before the link function (for two classes the log-odds of the second), for votes the decision function. For each
    row they add up to the raw output minus the average prediction.

    Parameters
    ----------
    model : fitted estimator
        A tree or an ensemble of trees of this package, or a Pipeline or search that ends in one; the values are then
        about the columns that the last step reads.
    X : table
        The rows.

    Returns
    -------
    ShapValues
        The pair ``values, expected``, which can also be printed and saved.

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
    wrapped, model = model, unwrap(model)
    forest = _forest_of(model)
    columns = model._encode(transform_rows(wrapped, X))
    values, expected = forest.contributions(columns, threads_of(getattr(model, "n_jobs", None)))
    names = column_names(wrapped)
    if forest.n_raw == 1:
        sign = -1.0 if isinstance(model, Classifier) and model._order[0] != 0 else 1.0
        return ShapValues(sign * values[:, :, 0], sign * float(expected[0]), names)
    if not isinstance(model, Classifier):
        return ShapValues(values, expected, names, tuple(range(len(expected))))
    order = np.argsort(model._order)
    classes = tuple(model.classes_.tolist())
    return ShapValues(values[:, :, order], expected[order], names, classes)


def _forest_of(model: Any) -> _core.Forest:
    """Return the trees of a fitted model whose output is the sum or mean of theirs; refuse any other."""
    if isinstance(model, Model):
        check_is_fitted(model)
        forest: Any = getattr(model, "_forest", None)
        if (
            isinstance(model, TreeModel)
            and isinstance(forest, _core.Forest)
            and forest.combine["how"] != "median"
        ):
            return model._output_forest()
    raise UsageError(
        f"the output of a {type(model).__name__} is not a sum over trees",
        slug="shap.no-sum",
        hints=["shap_values takes trees, forests, boosting and voting ensembles of treewright"],
    )


@dataclass(frozen=True, slots=True, repr=False)
class PermutationImportance(Result):
    """The decrease of a score when the values of one column are shuffled.

    Parameters
    ----------
    columns : tuple of str
        The columns.
    losses : ndarray of shape (columns, repeats)
        The score of the model minus the score with the column shuffled.
    score : float
        The score of the model.

    Examples
    --------
    >>> PermutationImportance(("age",), np.array([[0.25, 0.35]]), 0.9)
    score 0.9000; decrease when one column is shuffled:
      column  decrease      sd
      age       0.3000  0.0500
    """

    _noun = "a permutation importance"
    columns: tuple[str, ...]
    losses: Numbers
    score: float

    @property
    def mean(self) -> Numbers:
        """The mean decrease of each column."""
        return np.asarray(self.losses.mean(axis=1))

    @property
    def std(self) -> Numbers:
        """The standard deviation of the decreases of each column."""
        return np.asarray(self.losses.std(axis=1))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, the columns in the order of the table."""
        rows = zip(self.to_csv_rows(), self.losses.tolist(), strict=True)
        return {"score": self.score, "columns": [row | {"losses": losses} for row, losses in rows]}

    def to_csv_rows(self) -> list[dict[str, Any]]:
        """Return one record for each column."""
        rows = zip(self.columns, self.mean.tolist(), self.std.tolist(), strict=True)
        return [{"column": name, "mean": mean, "std": std} for name, mean, std in rows]

    def _document(self, page: PageFormat) -> Document:
        order = np.argsort(-self.mean, kind="stable")[: page.lines].tolist()
        table = Table(
            (
                Column("column", tuple(page.name(self.columns[i]) for i in order), left=True),
                Column("decrease", tuple(f"{self.mean[i]:.4f}" for i in order), gap=2),
                Column("sd", tuple(f"{self.std[i]:.4f}" for i in order), gap=2),
            )
        )
        left_out = len(self.columns) - len(order)
        note = (Note(f"… {plural(left_out, 'more column')}"),) if left_out else ()
        title = f"score {self.score:.4f}; decrease when one column is shuffled:"
        return Document((title,), (table, *note), compact=True)


@renamed_parameters(seed="random_state")
def permutation_importance(
    model: Any,
    X: Any,
    y: Any,
    *,
    n_repeats: int = 5,
    random_state: Any = 0,
    scoring: Callable[[Any, Any, Any], float] | None = None,
    sample_weight: Any = None,
) -> PermutationImportance:
    """Measure how much a model's score decreases when the values of one column are shuffled.

    Unlike the impurity-based importance, this can be measured on rows that the model was not trained on. It works for
    every estimator of this package, with categories and missing values as they are.

    Parameters
    ----------
    model : fitted estimator
        A model of this package.
    X, y : table, array-like
        Rows and their target, preferably not the training rows.
    n_repeats : int, default=5
        How often each column is shuffled.
    random_state : int, RandomState, Generator or None, default=0
        Random seed; None means 0.
    scoring : callable, default=None
        Takes the model, a table and y, and returns a number; greater is better. None means ``model.score``: the
        accuracy, or R².
    sample_weight : array-like, optional
        Weights of the rows, for ``model.score``.

    Returns
    -------
    PermutationImportance
        The decreases of each column, with ``mean`` and ``std``.

    Examples
    --------
    >>> from treewright import ID3Classifier, datasets, permutation_importance
    >>> X, y = datasets.play_tennis()
    >>> importance = permutation_importance(ID3Classifier().fit(X, y), X, y)
    >>> importance.columns[int(importance.mean.argmin())], float(importance.mean.min())
    ('Temperature', 0.0)
    """
    if not isinstance(model, Model):
        raise TypeError(f"expected a fitted model of treewright, got {type(model).__name__}")
    check_is_fitted(model)
    repeats = int(check_integer("n_repeats", n_repeats, minimum=1))
    start = check_seed(random_state)
    table = Rows(read_rows(model, X, model.schema_).series)
    weights = weights_of(sample_weight, len(table))

    def score(rows: Rows) -> float:
        if scoring is not None:
            return float(scoring(model, rows, y))
        return float(getattr(model, "score")(rows, y, weights))  # noqa: B009

    base = score(table)
    losses = np.empty((len(table.columns), repeats))
    # The base score has reported unseen categories; the shuffled columns hold the same ones.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenValuesWarning)
        for column in range(len(table.columns)):
            for repeat in range(repeats):
                order = np.random.default_rng([start, column, repeat]).permutation(len(table))
                series = list(table.series)
                series[column] = table[order].series[column]
                losses[column, repeat] = base - score(Rows(series))
    return PermutationImportance(tuple(table.columns), losses, base)
