"""``SelectColumns``: keep the columns that predict the target best."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from treewright._catalog import public
from treewright._input.checks import read_training
from treewright._input.containers import as_table, is_named, rows_to_array
from treewright._input.dataframes import is_frame, open_frame
from treewright._utils.random_state import check_seed
from treewright._utils.renamed import rename_keys, renamed_parameters
from treewright._utils.validation import check_integer, check_number
from treewright.errors import UsageError
from treewright.selection._permutation_test import p_values
from treewright.selection._rank import Question
from treewright.selection._ranking import ColumnRanking

__all__ = ["SelectColumns"]

RULES = ("k", "percentile", "threshold", "permutations")
DEFAULT_K = 10


# scikit-learn's SelectorMixin would load its learners, a progress bar among them.
@public
@renamed_parameters(seed="random_state")
class SelectColumns(TransformerMixin, BaseEstimator):
    """Keep the columns that predict the target best, each column alone.

    One rule decides how many: ``k``, ``percentile``, ``threshold`` or ``permutations``; without a rule the best ten.

    Parameters
    ----------
    k : int, default=None
        Number of columns to keep; all of them if there are fewer.
    percentile : float, default=None
        Percentage of columns to keep, at least one column.
    threshold : float, default=None
        Minimum score of the columns to keep.
    permutations : int, default=None
        Number of permutations of a permutation test: a column is kept if at most a fraction ``alpha`` of the scores for
        shuffled targets, its own score included, is as high as its own.
    alpha : float, default=0.05
        Maximum p-value of that test.
    random_state : int, RandomState, Generator or None, default=0
        How the target is shuffled.
    by : str, default="auto"
        The measure, as in :func:`treewright.rank_columns`; so are the next two.
    numeric : {"cut", "mdl"}, default="cut"
        How numbers are split.
    missing : {"known", "value", "spread"}, default="known"
        What happens to rows with a missing value.
    n_jobs : int or None, default=None
        Maximum number of threads; None for all that the process may use. It does not change the result.

    Attributes
    ----------
    ranking_ : ColumnRanking
        All columns, best first.
    scores_ : ndarray
        The score of each column, in the order of the table.
    p_values_ : ndarray or None
        With ``permutations``, the p-value of each column.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, if the table has them.

    Examples
    --------
    >>> from treewright import SelectColumns, datasets
    >>> X, y = datasets.play_tennis()
    >>> chosen = SelectColumns(k=2).fit(X, y)
    >>> chosen.transform(X).columns, chosen.get_support().tolist()
    (['Outlook', 'Humidity'], [True, False, True, False])
    """

    ranking_: ColumnRanking
    scores_: NDArray[np.float64]
    p_values_: NDArray[np.float64] | None
    n_features_in_: int

    def __init__(
        self,
        k: int | None = None,
        *,
        percentile: float | None = None,
        threshold: float | None = None,
        permutations: int | None = None,
        alpha: float = 0.05,
        random_state: Any = 0,
        by: str = "auto",
        numeric: str = "cut",
        missing: str = "known",
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.percentile = percentile
        self.threshold = threshold
        self.permutations = permutations
        self.alpha = alpha
        self.random_state = random_state
        self.by = by
        self.numeric = numeric
        self.missing = missing
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.dict = True
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(rename_keys(state, {"seed": "random_state"}))

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Rank the columns and choose among them.

        Parameters
        ----------
        X : table
            numpy array, pandas, Polars or Arrow frame, dict of lists, list of dicts, or Table.
        y : array-like
            The class or the number of each row.
        sample_weight : array-like, default=None
            The weight of each row, for measures of classes; not with ``permutations``.

        Returns
        -------
        self
            The fitted transformer.
        """
        if y is None:
            raise ValueError(
                "This SelectColumns estimator requires y to be passed, but the target y is None"
            )
        question = Question(self.by, self.numeric, self.missing, self.n_jobs)
        rule = self._rule()
        if sample_weight is not None and rule == "permutations":
            raise UsageError(
                "permutations shuffle rows that count alike, and sample_weight makes them differ",
                slug="rank.weights",
                hints=["take k, percentile or threshold"],
            )
        before = dict(self.__dict__)
        try:
            table = read_training(self, X)
            ranking = question.rank(table, y, sample_weight)
            chances = None
            if rule == "permutations":
                rounds = int(check_integer("permutations", self.permutations, minimum=1))
                chances = p_values(question, table, y, ranking, rounds, self._seed())
                ranking = replace(
                    ranking,
                    columns=tuple(
                        replace(c, p_value=float(chances[c.position])) for c in ranking.columns
                    ),
                )
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        self.ranking_, self.p_values_ = ranking, chances
        self.scores_ = np.empty(len(ranking))
        for column in ranking:
            self.scores_[column.position] = column.score
        self._support = self._chosen(rule)
        return self

    def _seed(self) -> int:
        return check_seed(self.random_state)

    def _rule(self) -> str:
        """Check the parameters of the rule and return its name."""
        rules = [name for name in RULES if getattr(self, name) is not None]
        if len(rules) > 1:
            raise UsageError(
                f"{rules[0]} and {rules[1]} cannot be combined", slug="usage.parameter"
            )
        check_number("alpha", self.alpha, minimum=0, maximum=1)
        if self.k is not None:
            check_integer("k", self.k, minimum=1)
        if self.percentile is not None:
            check_number("percentile", self.percentile, minimum=0, maximum=100)
        if self.threshold is not None:
            check_number("threshold", self.threshold, minimum=-np.inf)
        return rules[0] if rules else "k"

    def _chosen(self, rule: str) -> NDArray[np.bool_]:
        if self.threshold is not None:
            chosen: NDArray[np.bool_] = self.scores_ >= self.threshold
            return chosen
        if rule == "permutations" and self.p_values_ is not None:
            return self.p_values_ <= self.alpha
        many = len(self.scores_)
        if rule == "percentile":
            count = max(1, round(many * float(self.percentile or 0) / 100))
        else:
            count = DEFAULT_K if self.k is None else int(self.k)
        chosen = np.zeros(many, dtype=bool)
        chosen[[column.position for column in self.ranking_.columns[:count]]] = True
        return chosen

    def get_support(self, indices: bool = False) -> NDArray[Any]:
        """Return which columns are kept.

        Parameters
        ----------
        indices : bool, default=False
            Whether to return their places instead of a mask.

        Returns
        -------
        ndarray
            A mask over all columns, or places.
        """
        check_is_fitted(self, "_support")
        return np.flatnonzero(self._support) if indices else self._support.copy()

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns that are kept.

        Parameters
        ----------
        input_features : array-like of str, default=None
            The names of all columns, where the training table had none.

        Returns
        -------
        ndarray of str
            Names.
        """
        names: NDArray[Any] = _check_feature_names_in(self, input_features)
        kept: NDArray[Any] = names[self.get_support()]
        return kept

    def transform(self, X: Any) -> Any:
        """Return the table with the chosen columns alone; frames stay frames, arrays stay arrays.

        Parameters
        ----------
        X : table
            The rows, with the columns of the training table.

        Returns
        -------
        table
            The same rows.
        """
        mask = self.get_support()
        if is_named(X) and hasattr(self, "feature_names_in_"):
            names = [str(n) for n in self.feature_names_in_[mask]]
            kept = as_table(X).select(names)
            return {name: kept[name] for name in names} if isinstance(X, dict) else kept
        if is_frame(X):
            frame = open_frame(X)
            validate_data(self, frame.to_native(), reset=False, skip_check_array=True)
            return frame.select(np.array(frame.columns, dtype=object)[mask].tolist()).to_native()
        array = validate_data(self, _array(X), reset=False, dtype=None, ensure_all_finite=False)
        return array[:, mask]


def _array(X: Any) -> Any:
    """Return rows of numbers as numbers, and rows of all kinds of things as what they are."""
    array = rows_to_array(X)
    if isinstance(X, (list, tuple)):
        plain = np.asarray(X)
        return plain if plain.dtype.kind in "biuf" else array
    return array
