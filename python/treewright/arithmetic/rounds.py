"""The work of one round of AdaBoost: what the learner misses, what its vote is, and how the weights of rows change.

A model knows the error and the vote of each round; the rest needs the rows of the fit (see ``replay``).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from sklearn.utils.validation import check_is_fitted

from treewright._recipe import number
from treewright.adaboost import AdaBoostClassifier, AdaBoostRegressor
from treewright.arithmetic.replay import Seen, replayed
from treewright.arithmetic.sheet import Part, Sheet, Shown
from treewright.draw.figures import count, fixed, plural
from treewright.draw.grid import Lane
from treewright.draw.paper import Paper
from treewright.schema import Level

__all__ = ["RoundWork", "round_of"]

TERMS = 6  # of a sum


@dataclass(frozen=True, slots=True, repr=False)
class RoundWork(Shown):
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
      alpha = rate × (ln((1 − e) / e) + ln(K − 1))
      alpha = 1 × (ln(0.833 / 0.167) + ln(1)) = 1 × (1.609 + 0.000) = 1.609
    <BLANKLINE>
    The weights
      row   truth   answer   before   factor   raised   after
        1   a       b         0.167    5.000    0.833   0.500
        2   b       b         0.167    1.000    0.167   0.100
        3   b       b         0.167    1.000    0.167   0.100
        4   a       a         0.500    1.000    0.500   0.300
      A missed row weighs exp(alpha) = exp(1.609) = 5.000 times as much.
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

    def _sheet(self, paper: Paper) -> Sheet:
        head = "The weighted error" if self.classes else "The average loss"
        parts = [Part(head, lines=self._mistakes()), Part("The learner's vote", lines=self._vote())]
        if self.seen is not None:
            parts.append(Part("The weights", self._lanes(self.seen, paper), self._change()))
        elif self.gained is not None:
            gain = "gains" if self.gained == 1 else "gain"
            parts.append(Part("", lines=[f"{plural(self.gained, 'row')} {gain} weight."]))
        return Sheet(f"Round {self.number} (of 0 to {self.rounds - 1})", parts)

    def _mistakes(self) -> list[str]:
        seen, e = self.seen, self._fixed(self.error)
        if seen is None:
            return [f"e = {e}"]
        lost = [row for row in seen.rows if row.loss > 0][:TERMS]
        more = [] if len(lost) == seen.wrong else ["..."]
        if not self.classes:
            terms = [f"{self._fixed(r.before)} × {self._fixed(r.loss)}" for r in lost] + more
            return [f"e = sum of weight × loss = {' + '.join(terms) or '0'} = {e}"]
        terms = [self._fixed(r.before) for r in lost] + more
        top = f"({' + '.join(terms)})" if len(terms) > 1 else "".join(terms) or "0"
        missed = f"The learner misses {plural(seen.wrong, 'row')} of {count(seen.n_rows)}."
        return [missed, f"e = weight of missed rows / all = {top} / 1 = {e}"]

    def _vote(self) -> list[str]:
        if self.last:
            why = "misses nothing" if self.error <= 0 else "is no better than chance"
            return [f"The learner {why}: it is the last, and its vote is {self._fixed(self.vote)}."]
        write, rate = self._fixed, f"{self.rate:g}"
        e, right, logs = write(self.error), write(1 - self.error), -math.log(self.beta)
        if not self.classes:
            return [
                f"beta = e / (1 − e) = {e} / {right} = {write(self.beta)}",
                f"vote = rate × ln(1 / beta) = {rate} × {write(logs)} = {write(self.vote)}",
            ]
        k = self.classes - 1
        return [
            "alpha = rate × (ln((1 − e) / e) + ln(K − 1))",
            f"alpha = {rate} × (ln({right} / {e}) + ln({k})) = "
            f"{rate} × ({write(logs)} + {write(math.log(k))}) = {write(self.vote)}",
        ]

    def _lanes(self, seen: Seen, paper: Paper) -> list[Lane]:
        rows = seen.rows
        said = [(self._said(r.truth, paper), self._said(r.answer, paper)) for r in rows]
        factors = [r.raised / r.before if r.before > 0 else 1.0 for r in rows]
        losses = [] if self.classes else [Lane("loss", [self._fixed(r.loss) for r in rows])]
        return [
            Lane("row", [count(r.row) for r in rows], gap=0),
            Lane("truth", [truth for truth, _ in said], left=bool(self.classes)),
            Lane("answer", [answer for _, answer in said], left=bool(self.classes)),
            *losses,
            Lane("before", [self._fixed(r.before) for r in rows]),
            Lane("factor", [self._fixed(factor) for factor in factors]),
            Lane("raised", [self._fixed(r.raised) for r in rows]),
            Lane("after", [self._fixed(r.after) for r in rows]),
        ]

    def _change(self) -> list[str]:
        assert self.seen is not None
        seen, write = self.seen, self._fixed
        lines = []
        if len(seen.rows) < seen.n_rows:
            lines.append(f"These are the rows that gain most; there are {count(seen.n_rows)}.")
        if self.last:
            return [*lines, "It is the last round: no weight changes."]
        if self.classes:
            vote, factor = write(self.vote), write(math.exp(self.vote))
            lines.append(f"A missed row weighs exp(alpha) = exp({vote}) = {factor} times as much.")
        else:
            power = f"{write(self.beta)} ^ ({self.rate:g} × (1 − loss))"
            lines.append(f"A row weighs beta ^ (rate × (1 − loss)) = {power} times as much.")
        total = write(seen.total)
        return [*lines, f"All raised weights are {total} together; each is divided by that."]

    def _said(self, value: Level, paper: Paper) -> str:
        return paper.level(value) if self.classes else self._fixed(float(value))

    def _fixed(self, value: float) -> str:
        return fixed(value, self.digits)


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
