"""The work of one round of AdaBoost: what the learner misses, what its vote is, and how the weights of rows change.

A model knows the error and the vote of each round; the rest needs the rows of the fit (see ``replay``).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from sklearn.utils.validation import check_is_fitted

from treewright._learners.ensembles.adaboost import AdaBoostClassifier, AdaBoostRegressor
from treewright._render.document import Document
from treewright._utils.validation import number
from treewright._work.adaboost_page import round_document
from treewright._work.adaboost_replay import Seen, replayed
from treewright._work.work_result import WorkResult

__all__ = ["RoundWork", "round_of"]


@dataclass(frozen=True, slots=True, repr=False)
class RoundWork(WorkResult):
    """One round of AdaBoost, made by :func:`treewright.work`.

    Parameters
    ----------
    number, rounds : int
        Which round, counted from 0, and how many there are.
    error, vote : float
        The weighted error of its learner (of numbers, the average loss), and what the learner's answer counts.
    rate : float
        By how much votes are shrunk.
    classes : int
        How many classes there are; 0 for numbers.
    gained : int or None, default=None
        How many rows gain weight, where it is known.
    seen : Seen or None, default=None
        What the round does to the rows, where they were given.
    digits : int, default=3
        The decimals that are shown.
    width, ascii : int or None, bool or None, default=None
        Columns of text, and whether to write with ASCII signs only.

    Examples
    --------
    >>> from treewright import AdaBoostClassifier, work
    >>> X, y = [[1], [2], [3], [4]], ["a", "b", "b", "a"]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> print(work(model, X=X, y=y, what="round", round=1, width=100))
    Round 1 (of 0 to 2)
    <BLANKLINE>
    The weighted error
      The learner misses 1 row of 4.
      e = weight of missed rows / all = 0.167 / 1 = 0.167
    <BLANKLINE>
    The learner's vote
      α = rate × (ln((1 − e) / e) + ln(K − 1))
      α = 1 × (ln(0.833 / 0.167) + ln(1)) = 1 × (1.609 + 0.000) = 1.609
      Textbooks that write α = ½ ln((1 − e) / e) use half of it, with the same result.
    <BLANKLINE>
    The weights
      row   truth   prediction   before   factor   raised   after
        1   a       b             0.167    5.000    0.833   0.500
        2   b       b             0.167    1.000    0.167   0.100
        3   b       b             0.167    1.000    0.167   0.100
        4   a       a             0.500    1.000    0.500   0.300
      A missed row weighs exp(α) = exp(1.609) = 5.000 times as much.
      All raised weights are 1.667 together; each is divided by that.
    """

    number: int
    rounds: int
    error: float
    vote: float
    rate: float
    classes: int
    gained: int | None = None
    seen: Seen | None = None
    digits: int = 3
    width: int | None = None
    ascii: bool | None = None

    @property
    def last(self) -> bool:
        """Whether the round ends the fit: nothing is missed, or as much as by chance."""
        return not 0 < self.error < (1 - 1 / self.classes if self.classes else 0.5)

    @property
    def beta(self) -> float:
        """The error over what is right."""
        return self.error / (1 - self.error) if self.error < 1 else math.inf

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; of the rows, those that are shown."""
        own = ("number", "rounds", "error", "vote", "rate", "classes", "last", "gained")
        record = {name: getattr(self, name) for name in own}
        if not self.classes:
            record["beta"] = None if self.last else self.beta
        if self.seen is not None:
            rows = [{"row": row.row, **asdict(row)} for row in self.seen.rows]
            record |= asdict(self.seen) | {"rows": rows}
        return record

    def _pages(self, *, worksheet: bool = False) -> Document:
        return round_document(self, worksheet=worksheet)


def round_of(
    model: AdaBoostClassifier | AdaBoostRegressor,
    turn: Any,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    *,
    digits: int = 3,
    width: int | None = None,
    ascii: bool | None = None,
) -> RoundWork:
    """Return the work of a round: from what the model knows, or from the rows of its fit."""
    check_is_fitted(model)
    rounds = len(model.estimator_errors_)
    turn = number("round", turn, least=0, most=rounds - 1, whole=True)
    classes = len(model.classes_) if isinstance(model, AdaBoostClassifier) else 0
    held = model.__dict__.get("rounds_")
    error, vote = float(model.estimator_errors_[turn]), float(model.estimator_weights_[turn])
    gained, seen = None if held is None else held[turn].gained, None
    if X is not None and y is not None:
        seen, gained = replayed(model, turn, X, y, sample_weight)
    return RoundWork(
        *(turn, rounds, error, vote, model.learning_rate, classes, gained, seen),
        *(digits, width, ascii),
    )
