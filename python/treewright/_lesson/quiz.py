"""Screen 12 of a lesson as data: every number that a student can fill in, and what counts as right."""

from __future__ import annotations

from fractions import Fraction

from treewright._lesson.node_steps import NodeSteps
from treewright._lesson.sentences import say
from treewright._lesson.training import Training, Values
from treewright._render.formula import Equation
from treewright._render.formula_values import formula_values
from treewright._work.lecture_rounding import Rounding
from treewright._work.node_model import Split
from treewright._work.split_formulas import SplitFormulas

__all__ = ["quiz_screen"]

TOLERANCE = 0.005
MODES = ("exact", "lecture", "truncate")


def quiz_screen(training: Training, steps: list[NodeSteps]) -> Values | None:
    """Return screen 12; None where no node has candidates."""
    blanks = [blank for step in steps if step.splits for blank in _Blanks(training, step).all()]
    if not blanks:
        return None
    sentences = [say("quiz.what"), say("quiz.tolerance", tolerance=f"{_tolerance(training):g}")]
    screen = {"id": "quiz", "title": say("quiz.title"), "sentences": sentences}
    return screen | {"blanks": blanks}


def _tolerance(training: Training) -> float:
    """Return by how much a number may differ: half of the last printed digit, and at least 0.005."""
    if training.criterion.key == "variance":  # as large as the squares of the target
        return max(TOLERANCE, 0.5 * 10.0**-training.rounding.digits)
    return max(TOLERANCE, 0.5 * 10.0**-training.rounding.digits)


class _Blanks:
    """The blanks of one node."""

    def __init__(self, training: Training, step: NodeSteps) -> None:
        self.training, self.step, self.node = training, step, step.node
        work = step.work
        about = (work.criterion, work.unit, work.group, step.words.order)
        digits = training.rounding.digits
        self.ways = [SplitFormulas(*about, Rounding(digits, mode)) for mode in MODES]

    def all(self) -> list[Values]:
        """Return the blanks in the order in which they are calculated."""
        step = self.step
        places = self.training.places
        splits = sorted(step.splits, key=lambda split: places[split.column])
        blanks = [self._impurity()]
        blanks += [blank for split in splits for blank in self._candidate(split)]
        return [*blanks, self._choice()]

    def _impurity(self) -> Values:
        group = self.step.work.group
        texts = [way.impurity(group).text for way in self.ways]
        question = say(f"quiz.impurity.{self.training.criterion.key}", node=f"#{self.node}")
        return self._blank(
            *("impurity", "entropy", question, group.impurity, texts),
            self.step.impurity_formula(),
        )

    def _candidate(self, split: Split) -> list[Values]:
        step, key = self.step, self.training.criterion.key
        blanks = []
        for place, group in enumerate(split.groups):
            name = step.branch_name(split, group)
            question = say(f"quiz.branch.{key}", column=split.column, branch=name)
            texts = [way.impurity(group).text for way in self.ways]
            formula = step.branch_formula(split, group)
            blanks.append(
                self._blank(
                    *("branch_impurity", "entropy", question, group.impurity, texts, formula),
                    split=split,
                    branch=place,
                )
            )
        column = split.column
        question = say(f"quiz.remaining.{key}", column=column)
        texts = [way.remaining(split).text for way in self.ways]
        formula = step.remaining_formula(split)
        blanks.append(
            self._blank(
                *("remaining", "remainder", question, split.remaining, texts, formula), split=split
            )
        )
        blanks.append(self._result("gain", "gain", split, split.gain, f"quiz.gain.{key}"))
        if self.training.method.by == "gain ratio" and split.ratio is not None:
            info = split.split_info or 0.0
            name = "split_information"
            blanks.append(self._result(name, "ratio", split, info, f"quiz.{name}"))
            blanks.append(self._result("gain_ratio", "ratio", split, split.ratio, "quiz.gain_ratio"))
        return blanks

    def _result(self, quantity: str, stage: str, split: Split, value: float, key: str) -> Values:
        name = {"gain": "gain", "split_information": "information", "gain_ratio": "ratio"}[quantity]
        equations: list[Equation] = [getattr(way, name)(split) for way in self.ways]
        texts = [equation.result.text for equation in equations if equation.result is not None]
        question = say(key, column=split.column)
        formula = getattr(self.step.formulas, name)(split)
        return self._blank(quantity, stage, question, value, texts, formula, split=split)

    def _choice(self) -> Values:
        own = self.step.work.own
        right = list(own.tied) or ([] if own.chosen is None else [own.chosen])
        places = sorted(self.training.places[name] for name in right)
        names = self.training.tree.schema.names
        return {
            "id": f"n{self.node}.choice",
            "node": self.node,
            "feature": None,
            "branch": None,
            "quantity": "choice",
            "stage": "choice",
            "question": say("quiz.choice", algorithm=own.algorithm),
            "expected": places,
            "text": ", ".join(names[place] for place in places),
            "tolerance": 0.0,
            "also": [],
            "formula": None,
        }

    def _blank(
        self,
        quantity: str,
        stage: str,
        question: Values,
        value: float,
        texts: list[str],
        formula: Equation,
        split: Split | None = None,
        branch: int | None = None,
    ) -> Values:
        feature = None if split is None else self.training.places[split.column]
        parts = [f"n{self.node}", *([] if feature is None else [f"f{feature}"])]
        parts += [] if branch is None else [f"b{branch}"]
        own = texts[MODES.index(self.training.rounding.mode)]
        accepted = sorted({float(Fraction(text.replace(",", ""))) for text in texts})
        return {
            "id": ".".join([*parts, quantity]),
            "node": self.node,
            "feature": feature,
            "branch": branch,
            "quantity": quantity,
            "stage": stage,
            "question": question,
            "expected": value,
            "text": own,
            "tolerance": _tolerance(self.training),
            "also": accepted,
            "formula": formula_values(formula),
        }
