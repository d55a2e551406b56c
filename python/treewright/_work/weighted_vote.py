"""The final vote of AdaBoost for one row: what each round predicts, with its weight, and the sums."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright._input.encoding import encode, one_row
from treewright._learners.ensembles.adaboost_votes import weighted_median
from treewright._render.document import Block, Column, Document, Equations, Table, Text
from treewright._render.formula import Equation, Formula, Name, Number, Quotient, Sum
from treewright._render.numbers import plural
from treewright._work.adaboost_replay import refuse_other_estimators
from treewright._work.work_result import NAMES, WorkResult
from treewright.schema import Level

__all__ = ["WeightedVote", "weighted_vote"]

STAGES = ("prediction", "sum", "vote")
MAX_ROUNDS = 20  # listed
MAX_TERMS = 6


@dataclass(frozen=True, slots=True, repr=False)
class WeightedVote(WorkResult):
    """The final vote of AdaBoost for one row, made by :func:`treewright.work`.

    Examples
    --------
    >>> from treewright import AdaBoostClassifier, datasets, work
    >>> X, y = datasets.play_tennis()
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> print(work(model, X=X[:1], width=80))
    No: the vote of 3 rounds
    <BLANKLINE>
      round   prediction   weight α
          0   No              0.588
          1   No              1.012
          2   Yes             1.069
      No                      0.588 + 1.012 = 1.599 †
      Yes                     1.069
    <BLANKLINE>
    The class with the largest sum is predicted.
    <BLANKLINE>
    † calculated from unrounded values. With the rounded numbers shown:
      0.588 + 1.012 gives 1.600
    """

    classes: tuple[Level, ...]  # empty for a numeric target
    predictions: tuple[Level, ...]  # of each round
    weights: tuple[float, ...]  # of each round
    sums: tuple[float, ...]  # the weight of each class; empty for a numeric target
    prediction: Level

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        rounds = [
            {"round": i, "prediction": prediction, "weight": weight}
            for i, (prediction, weight) in enumerate(
                zip(self.predictions, self.weights, strict=True)
            )
        ]
        sums = dict(zip(self.classes, self.sums, strict=False))
        return {"prediction": self.prediction, "rounds": rounds, "sums": sums}

    def _pages(self, *, worksheet: bool = False) -> Document:
        size = plural(len(self.weights), "round")
        what = "vote" if self.classes else "weighted median"
        title = (self._answer(self.prediction, "vote"), f": the {what} of {size}")
        order = list(range(len(self.weights)))
        if not self.classes:
            order.sort(key=lambda i: (self.predictions[i], i))
        blocks: list[Block] = [self._table(order[:MAX_ROUNDS])]
        left = len(order) - MAX_ROUNDS
        blocks += [Text(f"{plural(left, 'more round')} not listed.")] if left > 0 else []
        blocks += self._class_sums() if self.classes else self._median()
        return Document((title,), tuple(blocks), STAGES)

    def _table(self, order: list[int]) -> Table:
        left = bool(self.classes)
        columns = [
            Column("round", tuple(Number(str(i), value=float(i)) for i in order)),
            Column(
                "prediction",
                tuple(self._answer(self.predictions[i], "prediction") for i in order),
                left=left,
            ),
            self._number_column(
                "weight α" if left else "weight", "", [self.weights[i] for i in order]
            ),
        ]
        if not self.classes:
            running = np.cumsum([self.weights[i] for i in order]).tolist()
            columns.append(self._number_column("sum", "sum", running))
        return Table(tuple(columns), key="rounds")

    def _class_sums(self) -> list[Block]:
        rows: list[tuple[str, Formula]] = []
        for name, total in zip(self.classes, self.sums, strict=True):
            votes = zip(self.predictions, self.weights, strict=True)
            terms = [weight for prediction, weight in votes if prediction == name]
            result = self._sum(terms, total)
            parts: list[tuple[int, Formula]] = [
                (1, self._number("sum", weight)) for weight in terms[:MAX_TERMS]
            ]
            parts += [(1, Name("…"))] if len(terms) > MAX_TERMS else []
            added = [Sum(tuple(parts))] if len(parts) > 1 else []
            rows.append((NAMES.level(name), Equation((*added, result))))
        tied = sum(math.isclose(total, max(self.sums)) for total in self.sums) > 1
        words = "The class with the largest sum is predicted"
        end = "; tie: the first class." if tied else "."
        return [Equations(tuple(rows)), Text(f"{words}{end}", apart=True)]

    def _sum(self, terms: list[float], total: float) -> Number:
        """Write a sum, with what its printed terms add up to where that differs."""
        result = self._number("sum", total)
        if not 1 < len(terms) <= MAX_TERMS:
            return result
        printed = sum(round(float(self._number("", term).text) * 10**self.digits) for term in terms)
        again = self._number("", printed / 10**self.digits).text
        return result if again == result.text else Number(result.text, "sum", total, again)

    def _median(self) -> list[Block]:
        total = math.fsum(self.weights)
        half = Equation(
            (Quotient(self._number("sum", total), Number("2")), self._number("sum", total / 2))
        )
        words = "The rounds are sorted by their predictions. The prediction is the first whose sum of weights reaches "
        return [Text((words, half, "."), apart=True)]

    def _answer(self, value: Level, stage: str) -> Formula:
        if self.classes:
            return Name(NAMES.level(value), stage)
        return self._number(stage, float(value))


def weighted_vote(model: Any, row: Any, **page: Any) -> WeightedVote:
    """Return the final vote of AdaBoost for one row."""
    refuse_other_estimators(model)
    schema = model.schema_
    columns: Any = encode(one_row(row, schema), schema)
    weights = [float(w) for w in model.estimator_weights_]
    values = [model._forest.predict(columns, i, i + 1)[0] for i in range(len(weights))]
    if not schema.classes:
        numbers = tuple(float(each[0]) for each in values)
        median = float(weighted_median(np.array([numbers]), np.array(weights))[0, 0])
        return WeightedVote((), numbers, tuple(weights), (), median, **page)
    codes = [int(np.argmax(each)) for each in values]
    sums = [
        math.fsum(w for c, w in zip(codes, weights, strict=True) if c == k)
        for k in range(len(schema.classes))
    ]
    predictions = tuple(schema.classes[code] for code in codes)
    best = schema.classes[int(np.argmax(sums))]
    return WeightedVote(schema.classes, predictions, tuple(weights), tuple(sums), best, **page)
