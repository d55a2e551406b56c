"""What ``treewright fit`` reports: how good the model is on its training rows, on unseen rows, and the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._evaluate.evaluation import Evaluation, baseline_prediction
from treewright._evaluate.prediction_scores import ClassScore, NumberScore, Score, measures_for
from treewright._input.folds import folds, held_out
from treewright._input.row_order import row_order
from treewright._render.numbers import count, plural
from treewright._render.table_grid import escape_markdown
from treewright.cli.app.console import Console
from treewright.cli.app.progress import progress_bar
from treewright.cli.scoring.score_source import score_source
from treewright.cli.tables.fit_request import TrainingData
from treewright.cli.tables.source import Source
from treewright.errors import Hint, UsageError

__all__ = ["FitReport", "UnseenRows"]

Rows = NDArray[np.int64]
DEFAULT_FOLDS = 10

AUTOMATIC_FITS = (
    1000  # so many fits take seconds: up to so many rows something is measured by default
)


@dataclass(frozen=True)
class UnseenRows:
    """Which rows the accuracy on unseen rows is measured on; ``samples`` says whether the algorithm uses the seed."""

    test: Source | None = None
    holdout: float | None = None
    cv: int | None = None
    loo: bool = False
    seed: int | None = None
    samples: bool = False

    def __post_init__(self) -> None:
        options = {
            "--test": self.test is not None,
            "--holdout": self.holdout is not None,
            "--cv": self.cv is not None,
            "--loo": self.loo,
        }
        chosen = [flag for flag, is_used in options.items() if is_used]
        if len(chosen) > 1:
            raise UsageError(f"{chosen[0]} and {chosen[1]} cannot be combined", slug="usage")
        random = self.samples or self.holdout is not None or self.cv is not None
        if self.seed is not None and not random:
            raise UsageError(
                "--seed has no effect: nothing is random here",
                slug="usage",
                hints=["cross-validation, held-out rows, bagging, boosting and forests use it"],
            )

    def check(self, rows: int) -> None:
        """Raise an error for more folds than rows."""
        if self.cv is not None and self.cv > rows:
            raise UsageError(
                f"--cv {self.cv} needs at least {self.cv} rows; there are {rows}",
                slug="usage",
                hints=[Hint(option="loo", value=True)],
            )

    def score(self, model: Any, data: TrainingData, console: Console) -> tuple[str, Score] | None:
        """Return what was measured and the score; None where nothing was asked for and the table is large."""
        rows = len(data.table)
        codes = data.target.data if data.target.kind == "categorical" else None
        if self.test is not None:
            target = str(model.schema_.target)
            return self.test.label, score_source(model, self.test, target, console)
        if self.holdout is not None:
            title = f"held-out {100 * self.holdout:g}%"
            parts = [held_out(codes, self._order(data), self.holdout)]
        elif self.loo or (self.cv is None and rows * _count_fits(model) <= AUTOMATIC_FITS):
            title, parts = "leave-one-out", list(np.arange(rows)[:, None])
        elif self.cv is not None or rows <= AUTOMATIC_FITS:
            n_folds = self.cv or DEFAULT_FOLDS
            title = f"{n_folds}-fold cross-validation"
            parts = folds(codes, self._order(data), n_folds)
        else:
            return None
        return title, _score_parts(model, data, parts, title, console)

    def _order(self, data: TrainingData) -> Rows:
        """Return the rows in a random order that does not depend on their order in the file."""
        return row_order(data.table, data.target.data, data.weights, self.seed or 0)


def _count_fits(model: Any) -> int:
    """Return how many trees one fit grows to choose its pruning, with the one that it prunes."""
    params = model.get_params(deep=False)
    chooses = params.get("prune") == "cost_complexity" and params.get("ccp_alpha") is None
    return 1 + (params["folds"] or DEFAULT_FOLDS) if chooses else 1


def _score_parts(
    model: Any, data: TrainingData, parts: Sequence[Rows], title: str, console: Console
) -> Score:
    """Predict each part of the rows with a model that is trained on the others."""
    from sklearn.base import clone

    template = clone(model)
    if "oob_score" in template.get_params(deep=False):  # nobody reads that of a single fold
        template.set_params(oob_score=False)
    rows = np.arange(len(data.table))
    predictions: list[Any] = []
    for part in progress_bar(parts, len(parts), title, console):
        fitted = data[np.setdiff1d(rows, part)].fit(clone(template))
        predictions += fitted.predict(data.table[part]).tolist()
    return _score(data, np.concatenate(parts), predictions, model.schema_.classes)


def _score(
    data: TrainingData, rows: Rows, predictions: list[Any], classes: tuple[Any, ...]
) -> Score:
    weights = None if data.weights is None else data.weights[rows]
    if not classes:
        return NumberScore(data.target.data[rows], np.array(predictions, dtype=np.float64), weights)
    truth = [data.target.levels[code] for code in data.target.data[rows]]
    return ClassScore.of(truth, predictions, classes, weights, weighted=weights is not None)


def _count_pruned(model: Any) -> tuple[int, int] | None:
    """Return the leaves before and after pruning by cost complexity; None for every other model."""
    trace = getattr(model, "pruning_", None)
    if trace is None or trace.method != "cost complexity" or trace.tree is None:
        return None
    return trace.tree.n_leaves, model.tree_.n_leaves


@dataclass(frozen=True)
class FitReport:
    """The view of a model, its score on the training rows and on unseen rows, and the out-of-bag score."""

    view: Any
    training: Evaluation
    unseen: Evaluation | None = None
    out_of_bag: tuple[str, float] | None = None
    pruned: tuple[int, int] | None = None  # the leaves before and after pruning by cost complexity

    @classmethod
    def of(
        cls, model: Any, view: Any, data: TrainingData, unseen: UnseenRows, console: Console
    ) -> FitReport:
        """Measure a fitted model."""
        predictions = model.predict(data.table).tolist()
        own = _score(data, np.arange(len(data.table)), predictions, model.schema_.classes)
        measured = unseen.score(model, data, console)
        # The roots of an ensemble have the mean of samples, the training rows that of the table.
        usual = own.mean_truth if isinstance(own, NumberScore) else baseline_prediction(model)
        is_regressor = model.__sklearn_tags__().estimator_type == "regressor"
        oob = getattr(model, "oob_score_", None)
        return cls(
            view,
            Evaluation("training rows", own, usual),
            None if measured is None else Evaluation(*measured, usual),
            None if oob is None else ("R2" if is_regressor else "accuracy", oob),
            _count_pruned(model),
        )

    def lines(self) -> list[str]:
        """Return a line for each score, aligned."""
        title = measures_for(self.training.score)[0].title
        last = self.unseen or self.training
        rows = [(f"{title} on the training rows", *self.training.main_measure())]
        if self.unseen is not None:
            how = self.unseen.title
            on = "by" if how.endswith(("validation", "leave-one-out")) else "on"
            the = "the " if how.startswith("held-out") else ""
            rows.append((f"{title} {on} {the}{how}", *self.unseen.main_measure()))
        if self.out_of_bag is not None:
            name, oob = self.out_of_bag
            rows.append((f"{name} out of bag", "", f"{oob:.4f}"))
        rows.append((f"baseline: {last.baseline_name}", *last.main_measure(last.baseline)))
        names, counts, values = (max(map(len, column)) for column in zip(*rows, strict=True))
        return self._pruning_lines() + [
            f"{name:<{names}}   {rows_right:>{counts}}  {value:>{values}}"
            if counts
            else f"{name:<{names}}   {value:>{values}}"
            for name, rows_right, value in rows
        ]

    def _pruning_lines(self) -> list[str]:
        if self.pruned is None:
            return []
        before, after = self.pruned
        leaves = f"{count(before)} to {plural(after, 'leaf')}"
        return [f"pruned by cost complexity from {leaves} (the full tree: --prune none)"]

    def to_markdown(self) -> str:
        """Return the view and the scores as Markdown."""
        lines = "  \n".join(escape_markdown(" ".join(line.split())) for line in self.lines())
        return f"{self.view.to_markdown().rstrip()}\n\n{lines}\n"

    def to_dict(self) -> dict[str, Any]:
        """Return the view and the scores as plain values."""
        values: dict[str, Any] = {
            "model": self.view.to_dict(),
            "training": self.training.to_dict(),
            "trial": None if self.unseen is None else self.unseen.to_dict(),
        }
        if self.pruned is not None:
            before, after = self.pruned
            values["pruning"] = {
                "method": "cost_complexity",
                "leaves_before": before,
                "leaves": after,
            }
        if self.out_of_bag is not None:
            values["out_of_bag"] = {self.out_of_bag[0].lower(): self.out_of_bag[1]}
        return values
