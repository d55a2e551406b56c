"""Predicted class probabilities beside the true classes: AUC, log loss, Brier score, and the curves behind them.

The sums are scikit-learn's; added here are rows whose true class the model does not know, classes without rows, and
weights. A model that predicts the probability 0 for the true class has an infinite log loss: as in scikit-learn,
probabilities are at least 2.2e-16.

Glossary: the *positive* class is the one that a yes-or-no question is about. With several classes each is asked about
in turn (*one versus rest*), and the measures are averaged over the classes that have rows (*macro*).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["ClassProbabilities", "Thresholds"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Thresholds:
    """What happens at every threshold of a probability: the weight of the rows at or above it.

    Parameters
    ----------
    threshold : ndarray
        The distinct probabilities, the largest first.
    hits : ndarray
        The weight of positive rows whose probability is at least the threshold (true positives).
    false_alarms : ndarray
        The weight of the other rows whose probability is at least the threshold (false positives).
    """

    threshold: Numbers
    hits: Numbers
    false_alarms: Numbers

    @property
    def positives(self) -> float:
        """The weight of all positive rows."""
        return float(self.hits[-1])

    @property
    def negatives(self) -> float:
        """The weight of all other rows."""
        return float(self.false_alarms[-1])


@dataclass(frozen=True, eq=False)
class ClassProbabilities:
    """The predicted probabilities of some rows and their true classes.

    Parameters
    ----------
    classes : tuple
        The names of the classes; those that the model does not know come last.
    truth : ndarray of int
        The position of the true class of each row.
    values : ndarray of shape (rows, classes)
        The predicted probabilities; 0 for classes that the model does not know.
    positive : int
        The position of the positive class.
    weights : ndarray or None, default=None
        The weight of each row.

    Examples
    --------
    >>> values = np.array([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5]])
    >>> scores = ClassProbabilities(("no", "yes"), np.array([0, 1, 0]), values, 1)
    >>> scores.auc(), round(scores.log_loss(), 3), round(scores.brier(), 3)
    (1.0, 0.436, 0.14)
    """

    classes: tuple[str, ...]
    truth: NDArray[np.int64]
    values: Numbers
    positive: int
    weights: Numbers | None = None

    @property
    def is_binary(self) -> bool:
        """Whether there are two classes."""
        return len(self.classes) == 2

    def auc(self) -> float | None:
        """Return the area under the ROC curve, with several classes the mean of each one's; None for a single class."""
        from sklearn.metrics import roc_auc_score

        asked = [self.positive] if self.is_binary else range(len(self.classes))
        areas = [
            roc_auc_score(self.truth == k, self.values[:, k], sample_weight=self.weights)
            for k in asked
            if self.has_both(k)
        ]
        return float(np.mean(areas)) if areas else None

    def has_both(self, k: int) -> bool:
        """Return whether some rows are of a class and some are not."""
        amounts = self._amounts
        return bool(0 < amounts[k] < amounts.sum())

    @cached_property
    def _amounts(self) -> Numbers:
        return np.bincount(self.truth, self.weights, len(self.classes)).astype(np.float64)

    def log_loss(self) -> float:
        """Return the mean of minus the logarithm of the probability of the true class."""
        from sklearn.metrics import log_loss

        labels = np.arange(len(self.classes))
        # Two classes at least, or scikit-learn takes the column for that of one of two.
        values = self.values if len(labels) > 1 else np.pad(self.values, ((0, 0), (0, 1)))
        known = np.arange(values.shape[1])
        # Fractions of a row may add up to a little more than the row, which scikit-learn refuses.
        values = np.minimum(values, 1.0)
        return float(log_loss(self.truth, values, sample_weight=self.weights, labels=known))

    def brier(self) -> float:
        """Return the mean squared error of the probabilities: of the positive class, or summed over several classes."""
        from sklearn.metrics import mean_squared_error

        actual = np.eye(len(self.classes))[self.truth]
        asked = slice(self.positive, self.positive + 1) if self.is_binary else slice(None)
        errors = mean_squared_error(
            actual[:, asked],
            self.values[:, asked],
            sample_weight=self.weights,
            multioutput="raw_values",
        )
        return float(np.sum(errors))

    def constant(self) -> ClassProbabilities:
        """Return the same rows with the proportions of their classes as probabilities."""
        amounts = self._amounts
        values = np.tile(amounts / amounts.sum(), (len(self.truth), 1))
        return ClassProbabilities(self.classes, self.truth, values, self.positive, self.weights)

    def thresholds(self, k: int | None = None) -> Thresholds:
        """Return what happens at every threshold of the probability of a class, by default of the positive one."""
        k = self.positive if k is None else k
        levels, place = np.unique(-self.values[:, k], return_inverse=True)
        is_class = self.truth == k
        weights = np.ones(len(self.truth)) if self.weights is None else self.weights
        hits = np.bincount(place, weights * is_class, len(levels)).cumsum()
        false_alarms = np.bincount(place, weights * ~is_class, len(levels)).cumsum()
        return Thresholds(-levels, hits, false_alarms)

    def roc_curve(self, k: int | None = None) -> tuple[Numbers, Numbers]:
        """Return the false-positive rate and the true-positive rate at every threshold, from (0, 0) to (1, 1)."""
        at = self.thresholds(k)
        return (
            np.concatenate([[0.0], at.false_alarms / at.negatives]),
            np.concatenate([[0.0], at.hits / at.positives]),
        )

    @classmethod
    def of(
        cls,
        truth: Sequence[Any] | NDArray[Any],
        values: Numbers,
        classes: Sequence[str],
        positive: str | None = None,
        weights: Numbers | None = None,
    ) -> ClassProbabilities:
        """Return the score of probabilities: ``truth`` has names of classes, ``values`` a column for each class.

        The positive class is by default the last one.
        """
        names = [str(name) for name in truth]
        unknown = sorted(set(names) - set(classes))
        everyone = (*classes, *unknown)
        place = {name: i for i, name in enumerate(everyone)}
        positive = classes[-1] if positive is None else positive
        return cls(
            everyone,
            np.array([place[name] for name in names], dtype=np.int64),
            np.pad(values, ((0, 0), (0, len(unknown)))),
            place[positive],
            weights,
        )
