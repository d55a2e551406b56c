"""Scores of predictions, and the table of measures that ``eval``, ``compare``, ``fit`` and ``--require`` use.

A new measure is a row of ``CLASS_MEASURES`` or ``NUMBER_MEASURES``. Rows may have weights; a row of weight 2 counts
like two rows. This module imports numpy and scikit-learn only when something is measured, so that the help of the
command line can list the measures.

Glossary: the *precision* of a class is the fraction of correct predictions among the rows predicted as this class, its
*recall* the fraction of its own rows that are predicted as this class, *F1* their harmonic mean. The *positive* class
is the one that a yes-or-no question is about: with two classes, F1 is that of the positive one, otherwise the mean over
the classes (*macro*).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from treewright.schema import Level, label

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treewright._evaluate.class_probabilities import ClassProbabilities

__all__ = [
    "CLASS_MEASURES",
    "NUMBER_MEASURES",
    "ClassScore",
    "Measure",
    "NumberScore",
    "Score",
    "find_positive",
    "measures_for",
]


@dataclass(frozen=True)
class ClassScore:
    """Predicted classes, compared with the true ones.

    ``matrix[i, j]`` is the weight of the rows of class ``i`` that are predicted as class ``j``; ``weighted`` means that
    this is not their number. ``probabilities`` is None where only classes were predicted.
    """

    classes: tuple[str, ...]
    matrix: NDArray[np.float64]
    weighted: bool = False
    positive: str = ""
    probabilities: ClassProbabilities | None = None

    @classmethod
    def of(
        cls,
        truth: Sequence[Any],
        predictions: Sequence[Any],
        classes: Sequence[Any] = (),
        weights: NDArray[np.float64] | None = None,
        weighted: bool = False,
        positive: str | None = None,
        probabilities: ClassProbabilities | None = None,
    ) -> ClassScore:
        """Count; classes that only the true values have come after the known ones."""
        import numpy as np

        predicted, true = [label(p) for p in predictions], [label(t) for t in truth]
        known = dict.fromkeys([label(c) for c in classes])
        known |= dict.fromkeys(sorted({*predicted, *true} - known.keys()))
        place = {name: i for i, name in enumerate(known)}
        matrix = np.zeros((len(place), len(place)))
        cells = [place[t] for t in true], [place[p] for p in predicted]
        np.add.at(matrix, cells, 1.0 if weights is None else weights)
        if positive is None:
            positive = find_positive(classes or list(place))
        return cls(tuple(place), matrix, weighted, positive, probabilities)

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(self.matrix.sum())

    @property
    def right(self) -> float:
        """The weight of the rows that are predicted correctly."""
        return float(self.matrix.trace())

    @property
    def accuracy(self) -> float:
        """The fraction of correct predictions."""
        return self.right / self.total

    def precision(self) -> list[float | None]:
        """Return the precision of each class; None for a class that is never predicted."""
        return _ratios(self.matrix.diagonal(), self.matrix.sum(axis=0))

    def recall(self) -> list[float | None]:
        """Return the recall of each class; None for a class without rows."""
        return _ratios(self.matrix.diagonal(), self.matrix.sum(axis=1))

    def constant(self, prediction: Level) -> ClassScore:
        """Return the score of predicting one class for the same rows."""
        import numpy as np

        matrix = np.zeros_like(self.matrix)
        matrix[:, self.classes.index(label(prediction))] = self.matrix.sum(axis=1)
        probabilities = None if self.probabilities is None else self.probabilities.constant()
        return replace(self, matrix=matrix, probabilities=probabilities)

    @property
    def is_binary(self) -> bool:
        """Whether there are two classes, one of them the positive one."""
        return len(self.classes) == 2 and self.positive in self.classes

    def f1(self) -> float:
        """Return F1 of the positive class, or the mean over several classes that have rows or are predicted."""
        if not self.is_binary:
            return self.metric("f1_score", average="macro", zero_division=0.0)
        at = self.classes.index(self.positive)
        amounts = self.matrix[at].sum() + self.matrix[:, at].sum()
        return float(2 * self.matrix[at, at] / amounts) if amounts else 0.0

    def measures(self) -> dict[str, float]:
        """Return the value of every measure by its name."""
        return _values(self)

    def class_mean(self, metric: str, axis: int) -> float:
        """Return the mean of a metric of scikit-learn over the classes whose sum along an axis is not 0."""
        import numpy as np

        classes = np.flatnonzero(self.matrix.sum(axis=axis))
        return self.metric(metric, average="macro", labels=classes)

    def metric(self, name: str, **settings: Any) -> float:
        """Return a metric of ``sklearn.metrics``; each cell of the matrix stands for its rows."""
        import numpy as np
        from sklearn import metrics

        true, predicted = np.nonzero(self.matrix)
        weights = self.matrix[true, predicted]
        return float(getattr(metrics, name)(true, predicted, sample_weight=weights, **settings))


@dataclass(frozen=True)
class NumberScore:
    """Predicted numbers, compared with the true ones."""

    truth: NDArray[np.float64]
    predictions: NDArray[np.float64]
    weights: NDArray[np.float64] | None = field(default=None)

    @property
    def total(self) -> float:
        """The weight of all rows."""
        return float(len(self.truth)) if self.weights is None else math.fsum(self.weights)

    @property
    def mean_truth(self) -> float:
        """The mean of the true values."""
        return self.mean(self.truth)

    @property
    def weighted(self) -> bool:
        """Always False: a total weight is printed as a number of rows."""
        return False

    def constant(self, prediction: Level) -> NumberScore:
        """Return the score of predicting one number for the same rows."""
        import numpy as np

        return NumberScore(self.truth, np.full(len(self.truth), float(prediction)), self.weights)

    def measures(self) -> dict[str, float]:
        """Return the value of every measure by its name."""
        return _values(self)

    def metric(self, name: str) -> float:
        """Return a metric of ``sklearn.metrics``."""
        from sklearn import metrics

        metric = getattr(metrics, name)
        return float(metric(self.truth, self.predictions, sample_weight=self.weights))

    def mean(self, values: NDArray[np.float64]) -> float:
        """Return the weighted mean of a value of each row; the sum is exact."""
        if self.weights is None:
            return math.fsum(values) / len(values)
        return math.fsum(values * self.weights) / math.fsum(self.weights)


Score = ClassScore | NumberScore


@dataclass(frozen=True)
class Measure:
    """A number that says how good predictions are.

    Parameters
    ----------
    name : str
        Its name in JSON, in CSV and in a requirement.
    title : str
        Its name in text.
    function : callable
        Computes it from a score; None where it is not defined.
    greater_is_better : bool, default=True
        Whether larger values are better.
    in_text : bool, default=True
        Whether text and tables show it too.
    as_percent : bool, default=True
        For classes: whether text has it as a percentage.
    of_positive : bool, default=False
        Whether it is about the positive class if there are two classes.
    needs_probabilities : bool, default=False
        Whether it is computed from class probabilities.
    bounds : tuple of float, default=(0.0, 1.0)
        The smallest and the largest possible value.
    """

    name: str
    title: str
    function: Callable[[Any], float | None]
    greater_is_better: bool = True
    in_text: bool = True
    as_percent: bool = True
    of_positive: bool = False
    needs_probabilities: bool = False
    bounds: tuple[float, float] = (0.0, 1.0)

    def title_for(self, score: Any) -> str:
        """Return its name in a table about a score."""
        if not self.of_positive:
            return self.title
        return f'{self.title} of "{score.positive}"' if score.is_binary else f"macro {self.title}"


def _rmse(score: NumberScore) -> float:
    return math.sqrt(score.mean((score.predictions - score.truth) ** 2))


def _r2(score: NumberScore) -> float | None:
    return None if (score.truth == score.truth[0]).all() else score.metric("r2_score")


def _probability_measure(
    name: str,
    title: str,
    function: Callable[[ClassProbabilities], float | None],
    greater: bool,
    most: float = 1.0,
) -> Measure:
    """Return a measure of class probabilities; it is None where there are only predicted classes."""

    def measure(score: ClassScore) -> float | None:
        return None if score.probabilities is None else function(score.probabilities)

    traits: dict[str, Any] = {
        "as_percent": False,
        "needs_probabilities": True,
        "bounds": (0.0, most),
    }
    return Measure(name, title, measure, greater, **traits)


# The first measure of each table is the one that fit and compare report.
CLASS_MEASURES = (
    Measure("accuracy", "accuracy", lambda score: score.accuracy),
    Measure("error", "error rate", lambda score: 1 - score.accuracy, False, in_text=False),
    # The mean over the classes that have rows, and over those that are predicted.
    Measure("balanced-accuracy", "balanced accuracy", lambda s: s.class_mean("recall_score", 1)),
    Measure("macro-precision", "macro precision", lambda s: s.class_mean("precision_score", 0)),
    Measure("f1", "F1", lambda s: s.f1(), of_positive=True),
    _probability_measure("auc", "AUC", lambda p: p.auc(), True),
    _probability_measure("log-loss", "log loss", lambda p: p.log_loss(), False, math.inf),
    _probability_measure("brier", "Brier score", lambda p: p.brier(), False, 2.0),
)
NUMBER_MEASURES = (
    Measure("rmse", "RMSE", _rmse, False, bounds=(0.0, math.inf)),
    Measure("mae", "MAE", lambda s: s.metric("mean_absolute_error"), False, bounds=(0.0, math.inf)),
    Measure("r2", "R2", _r2, bounds=(-math.inf, 1.0)),
)


def find_positive(classes: Sequence[Level]) -> str:
    """Return the name of the class that is positive by default: the last one in sorted order, as in scikit-learn.

    Examples
    --------
    >>> find_positive(["yes", "no"]), find_positive([10, 9]), find_positive([True, "maybe"])
    ('yes', '10', 'maybe')
    """
    try:
        return label(max(classes))
    except TypeError:  # text and numbers have no order
        return max(map(label, classes))


def measures_for(score: Score) -> tuple[Measure, ...]:
    """Return the measures of a score: those of classes or those of numbers."""
    return CLASS_MEASURES if isinstance(score, ClassScore) else NUMBER_MEASURES


def _values(score: Score) -> dict[str, float]:
    values = {measure.name: measure.function(score) for measure in measures_for(score)}
    return {name: value for name, value in values.items() if value is not None}


def _ratios(parts: NDArray[np.float64], totals: NDArray[np.float64]) -> list[float | None]:
    return [float(p / t) if t else None for p, t in zip(parts, totals, strict=True)]
