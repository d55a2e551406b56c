"""``rank_columns``: columns ranked by a measure of association with the target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._input.column_notes import note_cuts_of, note_values
from treewright._input.containers import as_table
from treewright._input.source_columns import prepare_training
from treewright._input.target import ClassTarget, NumberTarget, weights_of
from treewright._utils.choices import MISSING_VALUES, NUMERIC_SPLITS, RANK_MEASURES
from treewright._utils.validation import check_choice, check_lengths, threads_of
from treewright.errors import DataError, Hint, UsageError
from treewright.schema import Column, Schema
from treewright.selection._column_splits import Columns, Division, Weights, divide
from treewright.selection._measures import figures
from treewright.selection._ranking import ColumnRanking, RankedColumn
from treewright.table import Series, Table

__all__ = ["BY", "Question", "rank_columns"]

BY = ("auto", *RANK_MEASURES, "variance_reduction")
SLICES = 10
MANY = 20  # values of a target of floats: more are numbers to predict
# How a single cut is chosen: by the measure itself where it has a way of its own.
CUTS = {"gini": "gini", "chi2": "chi2", "one_r": "buckets", "variance_reduction": "variance"}


def rank_columns(
    X: Any,
    y: Any,
    by: str = "auto",
    *,
    numeric: str = "cut",
    missing: str = "known",
    sample_weight: Any = None,
    n_jobs: int | None = None,
) -> ColumnRanking:
    """Rank the columns of a table by how well each alone predicts the target.

    Parameters
    ----------
    X : table
        numpy array, pandas, Polars or Arrow frame, dict of lists, list of dicts, or Table.
    y : array-like
        The class or the number of each row.
    by : str, default="auto"
        "gain" (information gain in bits), "gain_ratio", "mutual_information" (the gain by another name), "gini" (how
        much smaller the Gini index is), "chi2" (the statistic), "one_r" (the accuracy of the 1-R rule); for numbers
        "variance_reduction", or "mutual_information" with the target split into ten parts of equal size. "auto" is
        the gain; for a target of floats with fractions or more than twenty values, the variance reduction.
    numeric : {"cut", "mdl"}, default="cut"
        How a numeric column is split: once, where the measure is best (the gain, for the ratio), or into any number of
        parts by the MDL method of Fayyad and Irani. 1-R has buckets of its own.
    missing : {"known", "value", "spread"}, default="known"
        Rows with a missing value are left out and the gain is multiplied by the fraction of the others, as in C4.5; are
        a value of their own; or are spread over the other values in proportion. For 1-R they are always a value.
    sample_weight : array-like, default=None
        The weight of each row: a row of weight 2 counts twice, one of weight 0 not at all. Only for measures of
        classes.
    n_jobs : int or None, default=None
        Maximum number of threads; None for all that the process may use. It does not change the ranking.

    Returns
    -------
    ColumnRanking
        The columns, best first: text by ``str()``, a picture by ``to_svg()``, a file by ``save()``.

    Examples
    --------
    >>> from treewright import datasets, rank_columns
    >>> X, y = datasets.play_tennis()
    >>> rank_columns(X, y)
    4 columns by information gain (bits), 14 rows
      column        gain  share of all      ratio  kind         parts  missing
      Outlook      0.247  ███░░░░░░░ 26.2%  0.156  categorical      3        0
      Humidity     0.152  ██░░░░░░░░ 16.1%  0.152  categorical      2        0
      Wind         0.048  █░░░░░░░░░  5.1%  0.049  categorical      2        0
      Temperature  0.029  ░░░░░░░░░░  3.1%  0.019  categorical      3        0
    >>> rank_columns(X, y, "gain_ratio").names[:2]
    ['Outlook', 'Humidity']
    """
    return Question(by, numeric, missing, n_jobs).ask(X, y, sample_weight)


class Question:
    """The parameters of a ranking, checked."""

    def __init__(self, by: Any, numeric: Any, missing: Any, n_jobs: int | None) -> None:
        self.by = check_choice("by", by, BY)
        self.numeric = check_choice("numeric", numeric, NUMERIC_SPLITS)
        self.missing = check_choice("missing", missing, MISSING_VALUES)
        self.threads = threads_of(n_jobs)

    def ask(self, X: Any, y: Any, sample_weight: Any = None) -> ColumnRanking:
        """Rank the columns of any table."""
        table = as_table(X)
        for size, what in zip(table.shape, ("row", "column"), strict=True):
            if size == 0:
                raise DataError(f"there is no {what} in X to rank", slug="data.empty")
        return self.rank(table, y, sample_weight)

    def rank(self, table: Table, y: Any, sample_weight: Any = None) -> ColumnRanking:
        """Rank the columns of a table."""
        by = self.measure(y)
        target, notes = self.target(y, by)
        weights = self.weights(sample_weight, target, notes)
        check_lengths(len(table), len(target))
        table = prepare_training(table)
        columns = Columns.of(table)
        divisions = divide(columns, target, self.way(by), self.threads, weights)
        ranked = [
            RankedColumn(
                name=series.name,
                kind=series.kind,
                position=i,
                score=measures[by],
                figures=measures,
                parts=int(division.counts.any(axis=1).sum()),
                cuts=division.cuts,
                missing=absent(column, levels) if weights else int(division.missing.sum()),
                about=series,
            )
            for i, (series, division, column, levels) in enumerate(
                zip(
                    _noted(table, divisions),
                    divisions,
                    columns.data,
                    columns.levels,
                    strict=True,
                )
            )
            for measures in [figures(division, self.missing)]
        ]
        ranked.sort(key=lambda column: (-column.score, column.position))
        return ColumnRanking(
            by, target.name, len(table), tuple(ranked), maximum(target, weights), notes
        )

    def weights(
        self, sample_weight: Any, target: ClassTarget | NumberTarget, notes: tuple[str, ...]
    ) -> Weights | None:
        """Return how many times rows count; None where all count once."""
        array = weights_of(sample_weight, len(target))
        if array is None:
            return None
        if isinstance(target, NumberTarget) or notes:
            raise UsageError(
                "sample_weight counts rows of classes, and the target holds numbers",
                slug="rank.weights",
                hints=["leave sample_weight out, or cut the target into classes"],
            )
        return Weights.of(array)

    def measure(self, y: Any) -> str:
        """Return the measure for a target."""
        if self.by != "auto":
            return self.by
        return "variance_reduction" if _has_fractions(y) or _has_many(y) else "gain"

    def way(self, by: str) -> str:
        """Return how numbers are cut."""
        if by == "one_r" or by == "variance_reduction":
            if self.numeric == "mdl":
                what = "1-R has buckets of its own" if by == "one_r" else "it needs classes"
                raise UsageError(
                    f'numeric="mdl" cannot be had with by="{by}": {what}', slug="rank.numeric"
                )
            return CUTS[by]
        return "mdl" if self.numeric == "mdl" else CUTS.get(by, "entropy")

    def target(self, y: Any, by: str) -> tuple[ClassTarget | NumberTarget, tuple[str, ...]]:
        """Return the target in the form that a measure needs, and what was done to it."""
        if by == "variance_reduction":
            return NumberTarget.of(y), ()
        if not _has_fractions(y):
            return ClassTarget.of(y), ()
        if by != "mutual_information":
            raise UsageError(
                f'by="{by}" measures classes, and the target holds numbers with fractions',
                slug="rank.target",
                hints=[
                    Hint(option="by", value="variance_reduction"),
                    Hint(option="by", value="mutual_information"),
                ],
            )
        target = NumberTarget.of(y)
        edges = np.unique(np.quantile(target.values, np.arange(1, SLICES) / SLICES))
        classes = ClassTarget.of(np.searchsorted(edges, target.values))
        note = f"the target was cut into {len(classes.levels)} parts of about equal size"
        return ClassTarget(target.name, classes.sorted, classes.order, classes.codes), (note,)


def _noted(table: Table, divisions: Sequence[Division]) -> tuple[Column, ...]:
    """Return the columns of a table with what it takes to write their cuts."""
    schema = note_values(Schema(table.described), table)
    cuts = {i: np.array(d.cuts) for i, d in enumerate(divisions) if d.cuts}
    return note_cuts_of(schema, table, cuts).columns


def absent(column: NDArray[Any], levels: int | None) -> int:
    """Return how many rows of a column, codes or numbers, have no value."""
    none = np.isnan(column) if levels is None else column >= levels
    return int(np.count_nonzero(none))


def maximum(target: ClassTarget | NumberTarget, weights: Weights | None = None) -> float:
    """Return the maximum of the measures: the entropy of classes in bits, the variance of numbers."""
    from treewright.measures import entropy, variance

    if isinstance(target, NumberTarget):
        return variance(target.values)
    return entropy(np.bincount(target.codes, weights.units if weights else None))


def _floats(y: Any) -> NDArray[np.float64]:
    """Return the finite numbers of a target of floats; nothing where it holds anything else."""
    if isinstance(y, Series):
        y = y.data if y.kind == "numeric" else ()
    array = np.asarray(y)
    if array.dtype.kind != "f" or array.ndim != 1:
        return np.empty(0)
    finite: NDArray[np.float64] = array[np.isfinite(array)].astype(np.float64)
    return finite


def _has_fractions(y: Any) -> bool:
    numbers = _floats(y)
    return bool((numbers != np.floor(numbers)).any())


def _has_many(y: Any) -> bool:
    return len(np.unique(_floats(y))) > MANY
