"""Which columns matter and how: impurity-based and permutation importance, partial dependence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._evaluate.importances import PermutationImportance, permutation_importance
from treewright._evaluate.partial_dependence import partial_dependence
from treewright._render.charts import Bar, NamedBars
from treewright._render.document import Block, Column, Heading, Picture, Table, Text
from treewright._render.numbers import fixed, percent, plural
from treewright._render.page_format import PageFormat
from treewright._render.safe_text import visible
from treewright._web.report.report_subject import GivenRows, Subject, sample

__all__ = ["Importance", "dependence_blocks", "find_importance", "importance_blocks"]

MAX_LISTED = 20
MAX_PLOTS = 4
# Predictions of a model that a report spends on each of the two, at most.
PREDICTIONS = 3_000_000
REPEATS = 5
GRID = 40
PAGE = PageFormat(width=100, lines=30)
MIN_ROWS = 200

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Importance:
    """The importance of each column, in the order of the schema."""

    impurity: Numbers | None  # None for a model without impurities
    permutation: PermutationImportance | None  # None without rows
    rows: GivenRows | None  # that the permutation was measured on

    def order(self) -> list[int]:
        """Return the columns that matter, the most important first; by permutation if it was measured."""
        by = self.impurity if self.permutation is None else self.permutation.mean
        if by is None:
            return []
        return [i for i in np.argsort(-by, kind="stable").tolist() if by[i] > 0]


def find_importance(subject: Subject) -> Importance:
    """Measure the importance of each column."""
    own = getattr(subject.model, "feature_importances_", None)
    impurity = None if own is None or subject.kind not in ("tree", "trees") else np.asarray(own)
    rows = subject.measured
    if rows is None or not len(rows.X):
        return Importance(impurity, None, None)
    work = max(1, subject.n_trees) * len(subject.schema.columns) * REPEATS
    rows = sample(rows, max(MIN_ROWS, PREDICTIONS // work))
    measured = permutation_importance(
        subject.model, rows.X, rows.y, n_repeats=REPEATS, sample_weight=rows.weights
    )
    return Importance(impurity, measured, rows)


def importance_blocks(subject: Subject, importance: Importance) -> list[Block]:
    """Return the tables and pictures of the importances."""
    blocks: list[Block] = []
    if importance.permutation is not None and importance.rows is not None:
        blocks += _permutation(subject, importance.permutation, importance.rows)
    if importance.impurity is not None:
        blocks += _impurity(subject, importance.impurity)
    return blocks or [
        Text("This model has no impurities. With rows, the report measures permutation importance.")
    ]


def _permutation(subject: Subject, measured: PermutationImportance, rows: GivenRows) -> list[Block]:
    score = "accuracy" if subject.schema.classes else "R²"
    mean, names = measured.mean, [visible(name) for name in subject.schema.names]
    order = np.argsort(-mean, kind="stable")[:MAX_LISTED].tolist()
    bars = tuple(Bar(names[i], max(0.0, float(mean[i])), fixed(mean[i], 4)) for i in order)
    title = f"Decrease of the {score} when a column is shuffled"
    table = Table(
        (
            Column("column", tuple(names[i] for i in order), left=True),
            Column("decrease", tuple(fixed(mean[i], 4) for i in order)),
            Column("sd", tuple(fixed(measured.std[i], 4) for i in order)),
        )
    )
    return [
        Heading("Permutation importance"),
        Text(
            f"The {score} on {plural(len(rows.X), 'row')} ({rows.title}) is {fixed(measured.score, 4)}. The values "
            f"of one column at a time are shuffled, {REPEATS} times each: the more the {score} decreases, the more "
            "the model needs the column."
        ),
        *([Picture(NamedBars(bars, title))] if any(bar.length for bar in bars) else []),
        table,
        *_left_out(len(names) - len(order)),
    ]


def _impurity(subject: Subject, shares: Numbers) -> list[Block]:
    names = [visible(name) for name in subject.schema.names]
    order = [i for i in np.argsort(-shares, kind="stable").tolist() if shares[i] > 0]
    listed = order[:MAX_LISTED]
    bars = tuple(Bar(names[i], float(shares[i]), percent(float(shares[i]))) for i in listed)
    title = "Fraction of the total impurity decrease"
    table = Table(
        (
            Column("column", tuple(names[i] for i in listed), left=True),
            Column("importance", tuple(percent(float(shares[i])) for i in listed)),
        )
    )
    if not listed:
        return [Heading("Impurity-based importance"), Text("The model has no splits.")]
    unused = [names[i] for i in range(len(names)) if shares[i] == 0]
    some = ", ".join(unused[:12]) + (f" and {len(unused) - 12} more" if len(unused) > 12 else "")
    return [
        Heading("Impurity-based importance"),
        Text(
            "How much of the total impurity decrease of all splits is due to splits on a column. It is measured on "
            "the training rows and favors numeric columns and columns with many categories, so do not read it as "
            "the effect of a column."
        ),
        Picture(NamedBars(bars, title)),
        table,
        *_left_out(len(order) - len(listed)),
        *([Text(f"Not used by any split: {some}.")] if unused else []),
    ]


def _left_out(n: int) -> list[Block]:
    return [Text(f"… {plural(n, 'more column')}")] if n > 0 else []


def dependence_blocks(subject: Subject, importance: Importance) -> list[Block]:
    """Return how the predictions change with each of the most important columns."""
    rows = subject.described
    chosen = importance.order()[:MAX_PLOTS]
    if rows is None or not chosen:
        return []
    work = max(1, subject.n_trees) * GRID * len(chosen)
    rows = sample(rows, max(MIN_ROWS, PREDICTIONS // work))
    blocks: list[Block] = [
        Text(
            f"A column gets one value in all of {plural(len(rows.X), 'row')}, and the predictions are averaged. The "
            "curves show what the model does, not what would happen if somebody changed the column."
        )
    ]
    for i in chosen:
        result: Any = partial_dependence(
            subject.model, rows.X, i, grid_size=GRID, sample_weight=rows.weights
        )
        document = result._document(PAGE)
        blocks += [block for block in document.blocks if isinstance(block, Picture)]
    return blocks
