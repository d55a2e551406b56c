"""The work of one round of AdaBoost: the weighted error, the weight of the learner, and the new weights of the rows.

A model holds the error and the learner's weight of each round; the rest needs the training rows (``adaboost_replay``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from sklearn.utils.validation import check_is_fitted

from treewright._draw.conditions import condition_text, conditions_of_leaves
from treewright._learners.ensembles.adaboost import AdaBoostClassifier, AdaBoostRegressor
from treewright._render.document import (
    Block,
    Cell,
    Column,
    Document,
    Equations,
    Heading,
    Table,
    Text,
    Verbatim,
)
from treewright._render.formula import (
    Call,
    Equation,
    Formula,
    Name,
    Number,
    Parentheses,
    Power,
    Product,
    Quotient,
    Sum,
)
from treewright._render.numbers import count, plural
from treewright._utils.validation import check_integer
from treewright._work.adaboost_replay import Seen, replay_round
from treewright._work.lecture_rounding import Rounding
from treewright._work.work_result import NAMES, WorkResult
from treewright.schema import Level
from treewright.tree import Tree

STAGES = ("error", "vote", "weights")
MAX_TERMS = 6  # of a sum
MAX_DRAWN = 31  # nodes of a learner
ONE = Number("1")
HALF = "Many textbooks write α = ½ ln((1 − e) / e): the same vote on another scale."

__all__ = ["RoundWork", "round_work"]


@dataclass(frozen=True, slots=True, repr=False)
class RoundWork(WorkResult):
    """One round of AdaBoost, made by :func:`treewright.work`.

    Examples
    --------
    >>> from treewright import AdaBoostClassifier, work
    >>> X, y = [[1], [2], [3], [4]], ["a", "b", "b", "a"]
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> print(work(model, X=X, y=y, what="round", round=1, width=100))
    Round 1 (of 0 to 2)
    <BLANKLINE>
    The learner
      x0 ≤ 3.5 → b
      x0 > 3.5 → a
    <BLANKLINE>
    Weighted error
      The learner misclassifies 1 of 4 rows.
      e = weight of misclassified rows / all = 0.167 / 1 = 0.167
    <BLANKLINE>
    Weight of the learner (alpha)
      α = rate × (ln((1 − e) / e) + ln(K − 1))
      α = 1 × (ln(0.833 / 0.167) + ln(1)) = 1 × (1.609 + 0.000) = 1.609
      Many textbooks write α = ½ ln((1 − e) / e): the same vote on another scale.
    <BLANKLINE>
    New weights
      row   actual   predicted   weight before   factor   unnormalized   weight after
        1   a        b                   0.167    5.000          0.833          0.500
        2   b        b                   0.167    1.000          0.167          0.100
        3   b        b                   0.167    1.000          0.167          0.100
        4   a        a                   0.500    1.000          0.500          0.300
      The weight of a misclassified row is multiplied by exp(α) = exp(1.609) = 5.000.
      The weights sum to 1.667; each is divided by this sum.
    """

    number: int  # the round, counted from 0, and the number of rounds
    rounds: int
    # The weighted error of the learner (the average loss for a numeric target), and the weight of its prediction.
    error: float
    vote: float
    rate: float  # the learning rate
    classes: int  # the number of classes; 0 for a numeric target
    gained: int | None = None  # how many rows gain weight, where the model holds it
    seen: Seen | None = None  # what the round does to the rows, where X and y are passed
    learner: Tree | None = field(
        default=None, compare=False
    )  # the tree of the round, and its leaves as lines of text
    drawing: str = ""

    @property
    def last(self) -> bool:
        """Whether the round ends the fit: there is no error, or as much as by chance."""
        return not 0 < self.error < (1 - 1 / self.classes if self.classes else 0.5)

    @property
    def beta(self) -> float:
        """The odds of an error: error / (1 − error)."""
        return self.error / (1 - self.error) if self.error < 1 else math.inf

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; of the rows, those that are listed."""
        own = ("number", "rounds", "error", "vote", "rate", "classes", "last", "gained")
        record = {name: getattr(self, name) for name in own}
        if not self.classes:
            record["beta"] = None if self.last else self.beta
        if self.learner is not None:
            record["learner"] = self.learner.nested()
        if self.seen is not None:
            rows = [{"row": row.row, **asdict(row)} for row in self.seen.rows]
            record |= asdict(self.seen) | {"rows": rows}
        return record

    def _pages(self, *, worksheet: bool = False) -> Document:
        head = "Weighted error" if self.classes else "Average loss"
        tree: list[Block] = [Heading("The learner"), Verbatim(self.drawing)] if self.drawing else []
        blocks: list[Block] = [
            *tree,
            Heading(head),
            *self._error_blocks(worksheet),
            Heading("Weight of the learner (alpha)" if self.classes else "Weight of the learner"),
        ]
        blocks += self._vote_blocks()
        if self.seen is not None:
            blocks += [self._weight_table(self.seen), *self._change_blocks(self.seen)]
        elif self.gained is not None:
            gained = Number(count(self.gained), "weights", float(self.gained))
            noun = "row gains" if self.gained == 1 else "rows gain"
            blocks += [Heading("New weights"), Text((gained, f" {noun} weight."))]
        title = f"Round {self.number} (of 0 to {self.rounds - 1})"
        return Document((title,), tuple(blocks), STAGES)

    def error_formula(self, wrong: Iterable[float]) -> Equation:
        """Return the weighted error of classes as the sum of the weights of misclassified rows."""
        listed = list(wrong)
        terms: list[tuple[int, Formula]] = [
            (1, self._number("error", weight)) for weight in listed[:MAX_TERMS]
        ]
        terms += [(1, Name("…"))] if len(listed) > MAX_TERMS else []
        result = self._number("error", self.error)
        return Equation((Name("e"), *([Sum(tuple(terms))] if len(terms) > 1 else []), result))

    def alpha_formula(self) -> Equation:
        """Return the weight of the learner; without its calculation where the round is the last."""
        if self.last:
            return Equation((Name("α"), self._number("vote", self.vote)))
        e, right = self._number("error", self.error), self._number("error", 1 - self.error)
        logs, result = self._number("vote", -math.log(self.beta)), self._number("vote", self.vote)
        return self._alpha(Number(f"{self.rate:g}"), e, right, logs, result)[1]

    def _error_blocks(self, worksheet: bool) -> list[Block]:
        """Return how the weighted error is calculated."""
        e = Name("e")
        result = self._number("error", self.error)
        if self.seen is None:
            return [_lines(Equation((e, result)))]
        lost = [row for row in self.seen.rows if row.loss > 0][:MAX_TERMS]
        terms: list[Formula] = []
        for row in lost:
            before = self._number("error", row.before)
            loss = self._number("error", row.loss)
            terms.append(before if self.classes else Product((before, loss), wide=True))
        if len(lost) != self.seen.wrong:
            terms.append(Name("…"))
        added: Formula = Sum(tuple((1, term) for term in terms)) if terms else Number("0", "error")
        if worksheet:
            added, terms = self._number("error", self.error), []
        if not self.classes:
            return [_lines(Equation((e, Name("sum of weight × loss"), added, result)))]
        wrong = Number(count(self.seen.wrong), "error")
        sentence = ("The learner misclassifies ", wrong, f" of {plural(self.seen.n_rows, 'row')}.")
        top: Formula = Parentheses(added) if len(terms) > 1 else added
        words = Quotient(Name("weight of misclassified rows"), Name("all"))
        return [Text(sentence), _lines(Equation((e, words, Quotient(top, ONE), result)))]

    def _vote_blocks(self) -> list[Block]:
        """Return how the weight of the learner is calculated."""
        result = self._number("vote", self.vote)
        if self.last:
            why = "makes no error" if self.error <= 0 else "is no better than chance"
            return [Text((f"The learner {why}: it is the last, and its weight is ", result, "."))]
        rate = Number(f"{self.rate:g}")
        e, right = self._number("error", self.error), self._number("error", 1 - self.error)
        logs = self._number("vote", -math.log(self.beta))
        if not self.classes:
            by = Quotient(Name("e"), Parentheses(Sum(((1, ONE), (-1, Name("e"))))))
            beta = self._number("vote", self.beta)
            rule = Product((Name("rate"), Call("ln", Quotient(ONE, Name("β")))), wide=True)
            return [
                _lines(
                    Equation((Name("β"), by, Quotient(e, right), beta)),
                    Equation((Name("weight"), rule, Product((rate, logs), wide=True), result)),
                )
            ]
        lines = _lines(*self._alpha(rate, e, right, logs, result))
        return [lines, Text(HALF)] if self.classes == 2 else [lines]

    def _alpha(
        self, rate: Number, e: Number, right: Number, logs: Number, result: Number
    ) -> tuple[Equation, Equation]:
        others = self.classes - 1
        odds = Quotient(Parentheses(Sum(((1, ONE), (-1, Name("e"))))), Name("e"))
        size = Sum(((1, Name("K")), (-1, ONE)))
        inside = Sum(((1, Call("ln", odds)), (1, Call("ln", size))))
        rule = Product((Name("rate"), Parentheses(inside)), wide=True)
        put = Sum(((1, Call("ln", Quotient(right, e))), (1, Call("ln", Number(str(others))))))
        added = Sum(((1, logs), (1, self._number("vote", math.log(others)))))
        steps = (
            Product((rate, Parentheses(put)), wide=True),
            Product((rate, Parentheses(added)), wide=True),
        )
        alpha = Name("α")
        return Equation((alpha, rule)), Equation((alpha, *steps, result))

    def _weight_table(self, seen: Seen) -> Table:
        """Return the old and the new weights of the rows."""
        classes, rows = bool(self.classes), seen.rows
        factors = [r.raised / r.before if r.before > 0 else 1.0 for r in rows]
        columns = [
            Column("row", tuple(Number(count(r.row)) for r in rows), values=_values(rows)),
            Column("actual", tuple(self._level(r.truth) for r in rows), "truth", left=classes),
            Column(
                "predicted", tuple(self._level(r.answer) for r in rows), "prediction", left=classes
            ),
        ]
        if not classes:
            columns.append(self._number_column("loss", "error", [r.loss for r in rows]))
        columns += [
            self._number_column("weight before", "", [r.before for r in rows], "before"),
            self._number_column("factor", "weights", factors),
            self._number_column("unnormalized", "weights", [r.raised for r in rows], "raised"),
            self._number_column("weight after", "weights", [r.after for r in rows], "after"),
        ]
        return Table(tuple(columns), "New weights", key="rows")

    def _change_blocks(self, seen: Seen) -> list[Block]:
        """Write how the weights change."""
        blocks = list[Block]()
        if len(seen.rows) < seen.n_rows:
            blocks.append(
                Text(f"These rows gain most weight; there are {count(seen.n_rows)} rows.")
            )
        if self.last:
            return [*blocks, Text("It is the last round: the weights stay as they are.")]
        if self.classes:
            power = Call("exp", self._number("vote", self.vote))
            factor = self._number("weights", math.exp(self.vote))
            factors = Equation((Call("exp", Name("α")), power, factor))
            blocks.append(
                Text(("The weight of a misclassified row is multiplied by ", factors, "."))
            )
        else:
            up = Product((Name("rate"), Parentheses(_less(Name("loss")))), wide=True)
            put = Product((Number(f"{self.rate:g}"), Parentheses(_less(Name("loss")))), wide=True)
            base = self._number("vote", self.beta)
            factors = Equation((Power(Name("β"), up), Power(base, put)))
            blocks.append(Text(("The weight of a row is multiplied by ", factors, ".")))
        total = self._number("weights", seen.total)
        words = ("The weights sum to ", total, "; each is divided by this sum.")
        return [*blocks, Text(words)]

    def _level(self, value: Level) -> Cell:
        """Write a class or a number."""
        return (
            NAMES.level(value)
            if self.classes
            else Number(Rounding(self.digits).round_off(float(value)))
        )


def _lines(*equations: Equation) -> Equations:
    return Equations(tuple(("", equation) for equation in equations))


def _less(name: Formula) -> Formula:
    return Sum(((1, ONE), (-1, name)))


def _values(rows: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(getattr(row, "row", None) for row in rows)


def round_work(
    model: AdaBoostClassifier | AdaBoostRegressor,
    number_of_round: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    **page: Any,
) -> RoundWork:
    """Return the work of a round: from what the model holds, or from the rows that it was fitted to."""
    check_is_fitted(model)
    rounds = len(model.estimator_errors_)
    turn = check_integer("round", number_of_round, minimum=0, maximum=rounds - 1)
    classes = len(model.classes_) if isinstance(model, AdaBoostClassifier) else 0
    stored = model.__dict__.get("rounds_")
    error, vote = float(model.estimator_errors_[turn]), float(model.estimator_weights_[turn])
    gained, seen = None if stored is None else stored[turn].gained, None
    if X is not None and y is not None:
        seen, gained = replay_round(model, turn, X, y, sample_weight)
    rate = model.learning_rate
    about = (turn, rounds, error, vote, rate, classes, gained, seen, *_learner(model, turn))
    return RoundWork(*about, **page)


def _learner(model: Any, turn: int) -> tuple[Tree | None, str]:
    """Return the tree of a round and its drawing; nothing where it is not a tree of this package."""
    if model._other_estimators() is not None or not hasattr(model, "trees_"):
        return None, ""
    tree: Tree = model.trees_[turn]
    if tree.n_nodes > MAX_DRAWN:
        return tree, ""
    lines = []
    for leaf, conditions in conditions_of_leaves(tree).items():
        tests = ", ".join(condition_text(condition, NAMES) for condition in conditions) or "always"
        answer = tree.answer(leaf)
        written = NAMES.level(answer) if tree.schema.classes else f"{float(answer):.6g}"
        lines.append(f"{tests} → {written}")
    return tree, "\n".join(lines)
